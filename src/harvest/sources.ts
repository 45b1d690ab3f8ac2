import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A concept that a source names in many languages; `parent` is the key of the broader concept. */
export type SourceConcept = {
  key: string;
  parent: string | null;
  names: Map<string, string[]>;
};

/** The harvested languages, with their codes in each source. */
const LANGUAGES: Record<string, { osm?: string[]; cldr?: string; shopify?: string }> = {
  pt: { osm: ['pt-BR', 'pt'], cldr: 'pt', shopify: 'ptbr' },
  en: { osm: ['en'], cldr: 'en', shopify: 'en' },
  es: { osm: ['es'], cldr: 'es', shopify: 'es' },
  fr: { osm: ['fr'], cldr: 'fr', shopify: 'fr' },
  de: { osm: ['de'], cldr: 'de', shopify: 'de' },
  it: { osm: ['it'], cldr: 'it', shopify: 'it' },
  ja: { osm: ['ja'], cldr: 'ja', shopify: 'ja' },
  ko: { osm: ['ko'], cldr: 'ko', shopify: 'ko' },
  zh: { osm: ['zh-CN'], cldr: 'zh', shopify: 'cn' },
  'zh-hant': { osm: ['zh-TW'], cldr: 'zh-Hant' },
  nb: { osm: ['no', 'nb'], cldr: 'no' },
  ...Object.fromEntries(
    [
      ...['nl', 'ru', 'uk', 'pl', 'tr', 'ar', 'he', 'hi', 'vi', 'id', 'th', 'ro', 'sv', 'da', 'fi'],
      ...['cs', 'sk', 'hu', 'el', 'fa', 'bg', 'hr', 'sr', 'ca', 'sl', 'lt', 'lv', 'et', 'ms', 'gl'],
    ].map((language) => [language, { osm: [language], cldr: language }]),
  ),
};

/** Reads the concepts of all sources in a node_modules folder. */
export function readConcepts(modules: string): SourceConcept[] {
  return [...readOsm(modules), ...readCldr(modules), ...readShopify(modules)];
}

const OSM_KINDS = /^(shop|craft|amenity|leisure|healthcare|office|tourism)\//;

type OsmText = { name?: string; aliases?: string[] | string };

function readOsm(modules: string): SourceConcept[] {
  const concepts = new Map<string, SourceConcept>();
  for (const [language, { osm = [] }] of Object.entries(LANGUAGES)) {
    for (const code of osm) {
      const folder = join(modules, '@openstreetmap/id-tagging-schema/dist/translations');
      const texts =
        readJson(join(folder, `${code}.min.json`)) ?? readJson(join(folder, `${code}.json`));
      const presets = Object.values(texts ?? {})[0] as
        | {
            presets?: {
              presets?: Record<string, OsmText>;
              fields?: Record<string, { options?: object }>;
            };
          }
        | undefined;
      for (const [key, { name, aliases }] of Object.entries(presets?.presets?.presets ?? {})) {
        if (!OSM_KINDS.test(key) || key.split('/').length > 3) continue;
        const more = typeof aliases === 'string' ? aliases.split('\n') : (aliases ?? []);
        addNames(concepts, `osm:${key}`, null, language, [name ?? '', ...more]);
      }
      const cuisines = presets?.presets?.fields?.cuisine?.options ?? {};
      for (const [key, option] of Object.entries(cuisines)) {
        const title = typeof option === 'string' ? option : (option as { title?: string }).title;
        addNames(concepts, `osm:cuisine/${key}`, null, language, [title ?? '']);
      }
    }
  }
  return [...concepts.values()];
}

type Annotations = { annotations: { annotations: Record<string, { tts?: string[] }> } };

/** Emoji of food, clothes, objects, animals and sports; people and symbols say nothing about goods. */
const GOODS =
  /^[\u{1F33D}-\u{1F37F}\u{1F380}-\u{1F38E}\u{1F392}-\u{1F3D3}\u{1F400}-\u{1F43F}\u{1F451}-\u{1F462}\u{1F484}-\u{1F48E}\u{1F4A1}-\u{1F50D}\u{1F526}-\u{1F52E}\u{1F68C}-\u{1F6B4}\u{1F6CB}-\u{1F6FC}\u{1F94A}-\u{1F9FF}\u{1FA70}-\u{1FAFF}☂☔⌚☕⚽⚾✂✏]\u{FE0F}?$/u;

function readCldr(modules: string): SourceConcept[] {
  const concepts = new Map<string, SourceConcept>();
  for (const [language, { cldr }] of Object.entries(LANGUAGES)) {
    const path = join(modules, 'cldr-annotations-full/annotations', cldr ?? '', 'annotations.json');
    const { annotations } = (readJson(path) as Annotations | null)?.annotations ?? {
      annotations: {},
    };
    for (const [emoji, { tts = [] }] of Object.entries(annotations)) {
      if (GOODS.test(emoji)) addNames(concepts, `cldr:${emoji}`, null, language, tts);
    }
  }
  return [...concepts.values()];
}

type Category = { id: string; name: string; parent_id: string | null };

function readShopify(modules: string): SourceConcept[] {
  const concepts = new Map<string, SourceConcept>();
  for (const [language, { shopify }] of Object.entries(LANGUAGES)) {
    if (shopify === undefined) continue;
    const folder = join(modules, `shopify-taxonomy-${shopify}`, 'dist');
    for (const { id, name, parent_id } of readCategories(folder)) {
      const parent = parent_id === null ? null : `shopify:${parent_id}`;
      addNames(concepts, `shopify:${id}`, parent, language, splitNames(name, language));
    }
  }
  return [...concepts.values()];
}

function readCategories(folder: string): Category[] {
  const names: Record<string, string> = { ptbr: 'pt-BR', cn: 'zh-CN' };
  const language = /shopify-taxonomy-(\w+)/.exec(folder)?.[1] ?? '';
  const file = join(folder, `${names[language] ?? language}.json`);
  const taxonomy = readJson(file) as { verticals: { categories: Category[] }[] } | null;
  if (taxonomy === null) throw new Error(`${file} is missing`);
  return taxonomy.verticals.flatMap((vertical) => vertical.categories);
}

const AND: Record<string, RegExp> = {
  pt: /\s*,\s*|\s+e\s+|\s+ou\s+/,
  en: /\s*,\s*|\s+&\s+|\s+and\s+|\s+or\s+/,
  es: /\s*,\s*|\s+[yeo]\s+/,
  fr: /\s*,\s*|\s+et\s+|\s+ou\s+/,
  de: /\s*,\s*|\s+und\s+|\s+oder\s+|\s+&\s+/,
  it: /\s*,\s*|\s+ed?\s+|\s+o\s+/,
  ja: /[、・，/]|および/,
  ko: /\s*,\s*|\s+및\s+|\//,
  zh: /[、，/]|和|与/,
};

// "Hats and caps" is two names; "black and white film" is not, but a wrong half does no harm.
function splitNames(name: string, language: string): string[] {
  const bare = name.replace(/\s*[(（][^)）]*[)）]/g, '');
  const pieces = bare.split(AND[language] ?? /,/);
  return pieces.length === 2 && pieces.every((piece) => !piece.includes(' ')) ? pieces : [bare];
}

function addNames(
  concepts: Map<string, SourceConcept>,
  key: string,
  parent: string | null,
  language: string,
  names: readonly string[],
): void {
  const concept = concepts.get(key) ?? { key, parent, names: new Map<string, string[]>() };
  concepts.set(key, concept);
  const clean = names.map((name) => name.replace(/[:;,،、|\n\t]/g, ' ').trim()).filter(Boolean);
  const known = concept.names.get(language) ?? [];
  concept.names.set(language, [...new Set([...known, ...clean])]);
}

function readJson(path: string): Record<string, unknown> | null {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
}
