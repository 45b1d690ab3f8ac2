// Words and looks of the counters (vitrine-widgets.js).

export const TEXTS = {
  pt: {
    locale: 'pt-BR',
    views: ['visualização', 'visualizações'],
    likes: ['curtida', 'curtidas'],
    dislikes: ['não gostou', 'não gostaram'],
    see: (name) => `ver em ${name}`,
    merchant: (id) => `Lojista ${id}`,
    total: 'Total',
    products: 'Produtos',
    offers: 'Ofertas',
    item: { products: (id) => `Produto ${id}`, offers: (id) => `Oferta ${id}` },
    users: 'pessoas',
    agents: 'agentes de IA',
    name: 'Nome',
    none: 'Nenhuma visualização.',
    gone: 'fora do ar',
    period: 'Visualizações nas últimas 24 horas',
    since: (date) => `Mudança desde ${date}`,
    fresh: 'novo',
    baseless: 'Ainda sem comparação',
    limited: (wait) => `Muita gente olhando agora. Os números voltam em ${wait}.`,
    invalid: 'Não há números para este código.',
    failed: 'Os números não carregaram.',
    retry: 'Tentar de novo',
  },
  en: {
    locale: 'en',
    views: ['view', 'views'],
    likes: ['like', 'likes'],
    dislikes: ['dislike', 'dislikes'],
    see: (name) => `see on ${name}`,
    merchant: (id) => `Merchant ${id}`,
    total: 'Total',
    products: 'Products',
    offers: 'Offers',
    item: { products: (id) => `Product ${id}`, offers: (id) => `Offer ${id}` },
    users: 'people',
    agents: 'AI agents',
    name: 'Name',
    none: 'No views.',
    gone: 'not listed',
    period: 'Views in the last 24 hours',
    since: (date) => `Change since ${date}`,
    fresh: 'new',
    baseless: 'Nothing to compare with yet',
    limited: (wait) => `Many people are looking right now. The counts are back in ${wait}.`,
    invalid: 'There are no counts for this id.',
    failed: 'The counts did not load.',
    retry: 'Try again',
  },
};

export const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`
  :host {
    display: block;
    container-type: inline-size;
    color: var(--vitrine-color, inherit);
    background: var(--vitrine-background, transparent);
    border: 1px solid var(--vitrine-line, color-mix(in srgb, currentcolor 25%, transparent));
    border-radius: var(--vitrine-radius, 0.6em);
    padding: 0.8em 1em;
    font: var(--vitrine-font, inherit);
    line-height: 1.4;
    --soft: var(--vitrine-soft, color-mix(in srgb, currentcolor 80%, transparent));
    --faint: color-mix(in srgb, currentcolor 12%, transparent);
    --user: var(--vitrine-user, light-dark(#1f5f8b, #7fb8e0));
    --agent: var(--vitrine-agent, light-dark(#c0601c, #f0a868));
  }
  :host([hidden]) { display: none; }
  * { box-sizing: border-box; margin: 0; padding: 0; }
  .body { position: relative; }
  strong, dt, .name, .change, .period, footer { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  strong { display: block; font-size: 1.1em; block-size: 1.4em; }
  .period { margin-block-end: 0.6em; }
  .kind { font-weight: 700; font-size: 0.95em; margin-block: 0.7em 0.2em; }
  dl { display: flex; gap: 0.6em; }
  dl > div { flex: 1 1 auto; min-inline-size: 0; display: grid; grid-template-rows: 1.8em; grid-auto-rows: 1.19em; align-items: center; }
  dt { order: 1; }
  dd.change { order: 2; }
  dt, .change, .period, .key, footer, .none, .gone { color: var(--soft); }
  .period, .key, footer, .none { font-size: 0.85em; }
  dt, .change { font-size: clamp(0.68em, 4.6cqi, 0.85em); }
  dd.number { font-size: clamp(1.1em, 7.5cqi, 1.5em); font-weight: 700; white-space: nowrap; }
  dd { font-variant-numeric: tabular-nums; }
  .rows { block-size: calc(var(--rows) * 2.3em); overflow: hidden; }
  .waiting {
    background: repeating-linear-gradient(transparent 0 0.6em, var(--faint) 0.6em 1.7em, transparent 1.7em 2.3em);
    inline-size: 70%;
  }
  table { inline-size: 100%; table-layout: fixed; border-spacing: 0; font-size: 0.9em; }
  thead th { block-size: 0; line-height: 0; }
  th { text-align: start; font-weight: inherit; }
  th + th { inline-size: 4.8em; }
  .part { inline-size: 0; padding: 0; }
  tbody :is(th, td) { block-size: calc(2.3em / 0.9); vertical-align: middle; }
  td { text-align: end; font-variant-numeric: tabular-nums; }
  :is(th, td):has(> .unseen) { position: relative; }
  .name { display: block; }
  a { color: inherit; text-underline-offset: 0.15em; }
  :focus-visible { outline: 2px solid currentcolor; outline-offset: 2px; }
  .name:focus-visible { outline-offset: -2px; }
  svg { display: block; inline-size: 100%; block-size: 0.5em; border-radius: 0.15em; }
  .user { fill: var(--user); }
  .agent { fill: var(--agent); }
  .key { display: flex; gap: 1.2em; margin-block-start: 0.6em; }
  .key span { display: flex; align-items: center; gap: 0.4em; }
  .key svg { inline-size: 0.8em; block-size: 0.8em; }
  footer { margin-block-start: 0.5em; }
  .unseen {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .notice {
    position: absolute;
    inset: 0;
    display: flex;
    flex-wrap: wrap;
    place-content: center;
    align-items: center;
    gap: 0.3em 0.8em;
    text-align: center;
    font-size: 0.9em;
  }
  .notice:not(:empty) + .content { visibility: hidden; }
  button {
    font: inherit;
    color: inherit;
    background: none;
    border: 1px solid currentcolor;
    border-radius: 0.4em;
    padding: 0.1em 0.8em;
    min-block-size: 24px;
    cursor: pointer;
  }
  @media (prefers-reduced-motion: no-preference) {
    .bars { animation: grow 0.4s ease-out; transform-origin: left; }
  }
  @keyframes grow { from { transform: scaleX(0); } }
`);

/** A wait: 30 seconds, 5 minutes. */
export function waitInWords(seconds, locale) {
  const [value, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

/** From here on counts are shown in short, 1.4M: the whole of them would not fit. */
const LONG_COUNT = 1_000_000;
const LONG_CHANGE = 10;

/** The number formats of a language: counts in short and exact, and changes. */
export function numbersOf(locale) {
  const format = (options) => new Intl.NumberFormat(locale, options).format;
  const brief = { notation: 'compact', maximumFractionDigits: 1 };
  const change = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' };
  const [exact, short] = [format(), format(brief)];
  const [percent, shortPercent] = [format(change), format({ ...change, ...brief })];
  return {
    exact,
    count: (count) => (count < LONG_COUNT ? exact(count) : short(count)),
    percent: (share) => (share < LONG_CHANGE ? percent(share) : shortPercent(share)),
  };
}

/** How a count changed since the baseline: +2.6%. */
export function changeInWords(data, field, words) {
  if (data?.comparisonDate === undefined) return '–';
  const { changePercent } = data.comparisons[field];
  return changePercent === null ? words.fresh : words.percent(changePercent / 100);
}

/** Since when the changes are counted. */
export function sinceInWords(data, words) {
  if (data === null) return '';
  if (data.comparisonDate === undefined) return words.baseless;
  const format = { day: 'numeric', month: 'short', timeZone: 'UTC' };
  const date = new Date(data.comparisonDate);
  return words.since(new Intl.DateTimeFormat(words.locale, format).format(date));
}
