import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright';
import { readArguments } from './command.ts';

const HELP = `
Usage: node scripts/pictures.ts

Draws public/og.png, which previews of links show, from scripts/og.svg, and public/favicon.ico from
public/favicon.svg. Takes the browser at CHROMIUM_PATH.`;

const PREVIEW = { width: 1200, height: 630 };
const ICON = { width: 32, height: 32 };

readArguments(HELP, {});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
writeFileSync('public/og.png', await draw('scripts/og.svg', PREVIEW));
writeFileSync('public/favicon.ico', asIcon(await draw('public/favicon.svg', ICON)));
await browser.close();

async function draw(file: string, viewport: typeof PREVIEW): Promise<Buffer> {
  const page = await browser.newPage({ viewport });
  const drawing = readFileSync(file, 'utf8');
  await page.setContent(
    `<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${drawing}`,
  );
  const picture = await page.screenshot({ omitBackground: true });
  await page.close();
  return picture;
}

/** One PNG of 32 by 32 in the container that browsers ask for at /favicon.ico. */
function asIcon(png: Buffer): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(ICON.width, 6);
  head.writeUInt8(ICON.height, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
