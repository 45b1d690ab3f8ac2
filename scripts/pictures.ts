import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright';
import { readArguments } from './command.ts';

const HELP = `
Usage: npm run pictures [-- --url URL [--pages FOLDER]]

Renders public/og.png (for link previews) from scripts/og.svg, and public/favicon.ico from
public/favicon.svg. With the URL of a running service with the sample catalog, renders the pictures of
README.md instead: an offer's page beside an agent's answer. With --pages, strips of each kind of page
instead (on a phone and on a desktop, light and dark), for tests/pages/screenshots. Uses the browser at
CHROMIUM_PATH.`;

const PREVIEW = { width: 1200, height: 630 };
const ICON = { width: 32, height: 32 };

const QUESTION = '¿Dónde encuentro zapatillas para correr?';
const OFFER = '/offers/50001';
const PHONE = { width: 390, height: 720 };

/** A page of each kind, by the name of its strip. */
const PAGES = {
  inicio: '/',
  ofertas: '/ofertas',
  lojas: '/lojas',
  loja: '/lojas/117',
  categoria: '/categorias/1',
  cidade: '/cidades/sao-paulo',
  oferta: OFFER,
  produto: '/products/10001',
  busca: '/buscar?q=pizza+em+campinas',
  docs: '/docs',
  desenvolvedores: '/desenvolvedores',
  404: '/nada-aqui',
};
/** How a strip shows a page: the top of it on both screens, scaled down. */
const SCREENS = [
  { width: 390, height: 1300, shown: 0.5 },
  { width: 1280, height: 1300, shown: 0.34 },
] as const;
const STRIP_QUALITY = 0.55;

const { url, pages } = readArguments(HELP, {
  url: { type: 'string' },
  pages: { type: 'string' },
}).values;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
if (url === undefined) {
  writeFileSync('public/og.png', await draw('scripts/og.svg', PREVIEW));
  writeFileSync('public/favicon.ico', asIcon(await draw('public/favicon.svg', ICON)));
} else if (pages !== undefined) {
  for (const [name, path] of Object.entries(PAGES)) {
    const strip = await drawStrip(new URL(path, url).href, name === '404');
    if (strip !== null) writeFileSync(`${pages}/${name}.webp`, strip);
  }
} else {
  const answer = await ask(url);
  for (const scheme of ['light', 'dark'] as const) {
    writeFileSync(`docs/vitrine-${scheme}.png`, await besideAnswer(url, answer, scheme));
  }
}
await browser.close();

type Shot = { data: string; width: number; height: number };
type Answer = { said: string; found: { title: string; rest: string }[] };

/** Asks the catalog server the question. */
async function ask(service: string): Promise<Answer> {
  const call = {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'search_local_products', arguments: { query: QUESTION, limit: 3 } },
  };
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const body = JSON.stringify(call);
  const response = await fetch(new URL('/mcp', service), { method: 'POST', headers, body });
  const { result } = (await response.json()) as {
    result: { structuredContent: { answer_markdown: string } };
  };
  const text = result.structuredContent.answer_markdown;
  const found = [...text.matchAll(/^\d+\. \[(.*?)\]\(\S+\) — (.*)$/gm)];
  return {
    said: /^Understood as .*$/m.exec(text)?.[0] ?? '',
    found: found.map(([, title = '', rest = '']) => ({ title, rest })),
  };
}

/** Renders an offer's page on a phone beside an agent's answer. */
async function besideAnswer(service: string, answer: Answer, colorScheme: 'light' | 'dark') {
  const context = await browser.newContext({ viewport: PHONE, colorScheme, deviceScaleFactor: 2 });
  const phone = await context.newPage();
  await phone.goto(new URL(OFFER, service).href, { waitUntil: 'networkidle' });
  const shot = (await phone.screenshot()).toString('base64');
  const page = await context.newPage();
  await page.setViewportSize({ width: 900, height: 780 });
  await page.setContent(`<style>
    :root{color-scheme:light dark;--ink:light-dark(#261d18,#f5ece4);--soft:light-dark(#65574d,#b9a99d);
      --card:light-dark(#fff,#2a211c);--line:light-dark(#e6dacb,#43362e);--tint:light-dark(#f7e7d8,#3a2c24)}
    body{margin:0;padding:30px;display:flex;gap:36px;font:16px/1.45 system-ui,'DejaVu Sans',sans-serif;color:var(--ink)}
    img{width:390px;height:720px;border-radius:28px;border:1px solid var(--line)}
    main{flex:1;display:grid;gap:14px;align-content:center}
    p{margin:0}.you,li,.it{border-radius:18px;padding:12px 16px}
    .you{background:var(--tint);justify-self:end}.it{background:var(--card);border:1px solid var(--line)}
    ol{list-style:none;margin:12px 0 0;padding:0;display:grid;gap:10px}li{border:1px solid var(--line)}
    b{display:block}small{color:var(--soft)}</style>
    <img alt=""><main><p class="you"></p><div class="it"><small></small><ol></ol></div></main>`);
  await page.evaluate(
    ({ shot, question, said, found }) => {
      const put = (selector: string, text: string) => {
        const element = document.querySelector(selector);
        if (element) element.textContent = text;
      };
      document.querySelector('img')?.setAttribute('src', `data:image/png;base64,${shot}`);
      put('.you', question);
      put('small', said);
      for (const { title, rest } of found) {
        const item = document.createElement('li');
        const name = Object.assign(document.createElement('b'), { textContent: title });
        const more = Object.assign(document.createElement('small'), { textContent: rest });
        item.append(name, more);
        document.querySelector('ol')?.append(item);
      }
    },
    { shot, question: QUESTION, ...answer },
  );
  const picture = await page.screenshot({ omitBackground: true });
  await context.close();
  return picture;
}

/** Renders the strip of a page; null if the service has no such page. */
async function drawStrip(address: string, isError: boolean): Promise<Buffer | null> {
  const shots: Shot[] = [];
  for (const { width, height, shown } of SCREENS) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme });
      const response = await page.goto(address, { waitUntil: 'networkidle' });
      const status = response?.status() ?? 0;
      if (status === 404 && !isError) return null;
      if (status >= 400 && status !== 404) throw new Error(`${address} answers ${status}`);
      const data = (await page.screenshot()).toString('base64');
      shots.push({ data, width: Math.round(width * shown), height: Math.round(height * shown) });
      await page.close();
    }
  }
  const page = await browser.newPage();
  const strip = await page.evaluate(joinShots, { shots, quality: STRIP_QUALITY });
  await page.close();
  return Buffer.from(strip, 'base64');
}

/** Runs in the browser: draws pictures side by side, and returns them as WebP. */
async function joinShots({ shots, quality }: { shots: Shot[]; quality: number }): Promise<string> {
  const gap = 8;
  const canvas = document.createElement('canvas');
  canvas.width = shots.reduce((sum, { width }) => sum + width + gap, -gap);
  canvas.height = Math.max(...shots.map(({ height }) => height));
  const pen = canvas.getContext('2d');
  let left = 0;
  for (const { data, width, height } of shots) {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    if (pen) pen.imageSmoothingQuality = 'high';
    pen?.drawImage(image, left, 0, width, height);
    left += width + gap;
  }
  return canvas.toDataURL('image/webp', quality).split(',')[1] ?? '';
}

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

/** Wraps a 32×32 PNG in an ICO file. */
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
