import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A static-site generator with everything it needs in a folder of its own. */
export type Peer = {
  name: string;
  folder: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Where its pages come to lie. */
  output: string;
  /** Whether its templates call our functions, so that its pages must equal ours. */
  isExact: boolean;
};

/** Eleventy: one paginated template in JavaScript, its quickest kind, and one for the twins. */
export function makeEleventy(folder: string, css: string): Peer {
  mkdirSync(join(folder, 'src/_data'), { recursive: true });
  cpSync('tests/bench/eleventy', join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'src/_data/style.json'), JSON.stringify({ css }));
  writeFileSync(
    join(folder, 'src/_data/pages.js'),
    "import { readFileSync } from 'node:fs';\n" +
      "export default JSON.parse(readFileSync('models.json', 'utf8'));\n",
  );
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  symlinkSync(resolve('src'), join(folder, 'vitrine'));
  return {
    name: 'Eleventy',
    folder,
    command: process.execPath,
    args: [
      '--max-old-space-size=12000',
      resolve('tests/bench/node_modules/@11ty/eleventy/cmd.cjs'),
      '--input=src',
      '--output=out',
      '--quiet',
    ],
    env: {},
    output: join(folder, 'out'),
    isExact: true,
  };
}

/** Hugo: a content file a page, because Debian's version makes no pages from data. */
export function makeHugo(folder: string, css: string): Peer {
  mkdirSync(folder, { recursive: true });
  cpSync('tests/bench/hugo', folder, { recursive: true });
  mkdirSync(join(folder, 'layouts/partials'), { recursive: true });
  writeFileSync(join(folder, 'layouts/partials/style.html'), `<style>${css}</style>`);
  return {
    name: 'Hugo',
    folder,
    command: process.env.HUGO_PATH ?? '/usr/bin/hugo',
    args: ['--quiet', '--destination', 'out'],
    env: {},
    output: join(folder, 'out'),
    isExact: false,
  };
}
