// The markdown twin of a page for Eleventy.
const escapeMarkdown = (text) => String(text ?? '').replace(/[\\`*_{}[\]()#!|<>~&@]/g, '\\$&');
const money = (price) =>
  price ? `R$ ${(price.amount / 100).toFixed(2).replace('.', ',')}` : 'Preço sob consulta';
const base = 'http://localhost:4321';

export const data = {
  pagination: { data: 'pages', size: 1, alias: 'page_model', addAllPagesToCollections: false },
  permalink: (all) => `/${all.page_model.path}.md`,
  eleventyExcludeFromCollections: true,
};

export function render({ page_model: page }) {
  const item = page.offer ?? page.product;
  const kind = page.offer ? 'offers' : 'products';
  const list = (records, place) =>
    records
      .map(
        (card) =>
          `- [${escapeMarkdown(card.title)}](${base}/${place}/${card.id}): ${money(card.price)}`,
      )
      .join('\n');
  return `# ${escapeMarkdown(item.title ?? item.name)}

- Preço: ${money(item.price)}
- Lojista: ${escapeMarkdown(item.merchant?.name)}

${escapeMarkdown(item.enrichedCopy ?? item.description)}

## Onde encontrar

${page.stores.map((store) => `- ${escapeMarkdown(store.name)}: ${escapeMarkdown(store.address)}, ${escapeMarkdown(store.district)}, ${escapeMarkdown(store.city)}`).join('\n')}

## Mais

${list(page.offers ?? [], 'offers')}
${list(page.related, kind)}

Fonte: Vitrine, ${base}/${page.path}.
`;
}
