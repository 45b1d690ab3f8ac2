// The page of a product or an offer for Eleventy, as src/components make it.
const escapeHtml = (text) =>
  String(text ?? '').replace(
    /[&<>"]/g,
    (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c],
  );
const money = (price) =>
  price ? `R$ ${(price.amount / 100).toFixed(2).replace('.', ',')}` : 'Preço sob consulta';
const json = (value) => JSON.stringify(value).replace(/</g, '\\u003c');
const script = (value) => `<script type="application/ld+json">${json(value)}</script>`;
const base = 'http://localhost:4321';

const cards = (title, list, kind) =>
  list.length === 0
    ? ''
    : `<section><h2>${escapeHtml(title)}</h2><ul class="cards">${list
        .map(
          (card) =>
            `<li><h3><a href="${base}/${kind}/${card.id}">${escapeHtml(card.title)}</a></h3><p class="amount">${money(card.price)}</p>${card.note ? `<p class="soft">${escapeHtml(card.note)}</p>` : ''}</li>`,
        )
        .join('')}</ul></section>`;

const stores = (list) =>
  `<section><h2>Onde encontrar</h2><ul class="stores">${list
    .map(
      (store) =>
        `<li><h3>${escapeHtml(store.name)}</h3><address>${escapeHtml(store.address)}<br>${escapeHtml(store.district)}, ${escapeHtml(store.city)} – ${escapeHtml(store.state)}</address><p class="links"><a href="https://www.openstreetmap.org/?mlat=${store.latitude}&amp;mlon=${store.longitude}#map=17/${store.latitude}/${store.longitude}" rel="noopener">Ver no mapa<span class="unseen"> (${escapeHtml(store.name)})</span></a></p></li>`,
    )
    .join('')}</ul></section>`;

const business = (store, merchant) => ({
  '@context': 'https://schema.org',
  '@type': 'LocalBusiness',
  name: store.name,
  parentOrganization: { '@type': 'Organization', name: merchant },
  address: {
    '@type': 'PostalAddress',
    streetAddress: store.address,
    addressLocality: store.city,
    addressRegion: store.state,
    addressCountry: 'BR',
  },
  geo: { '@type': 'GeoCoordinates', latitude: store.latitude, longitude: store.longitude },
});

export const data = {
  pagination: { data: 'pages', size: 1, alias: 'page_model', addAllPagesToCollections: false },
  permalink: (all) => `/${all.page_model.path}.html`,
  eleventyExcludeFromCollections: true,
};

export function render({ page_model: page, style }) {
  const item = page.offer ?? page.product;
  const name = item.title ?? item.name;
  const merchant = item.merchant?.name ?? '';
  const url = `${base}/${page.path}`;
  const text = item.enrichedCopy ?? item.description;
  const price = item.price ?? page.product?.price;
  const media = item.media.length > 0 ? item.media : (page.product?.media ?? []);
  const before = page.offer ? page.product?.price : item.listPrice;
  const percent =
    before && price && before.amount > price.amount
      ? Math.floor((1 - price.amount / before.amount) * 100)
      : 0;
  const product = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    url,
    description: text,
    image: media.map((picture) => picture.url),
    offers: {
      '@type': 'Offer',
      url,
      price: (price.amount / 100).toFixed(2),
      priceCurrency: price.currency,
      availability: 'https://schema.org/InStock',
      seller: { '@type': 'Organization', name: merchant },
    },
  };
  const trail = {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: 'Vitrine', item: base },
      { '@type': 'ListItem', position: 2, name, item: url },
    ],
  };
  const title = escapeHtml(`${name} – ${merchant} | Vitrine`);
  return `<!DOCTYPE html><html lang="pt-BR"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="description" content="${escapeHtml(text)}"><meta name="color-scheme" content="light dark"><link rel="icon" href="${base}/favicon.svg" type="image/svg+xml"><link rel="canonical" href="${url}"><link rel="alternate" type="text/markdown" href="${url}.md"><meta property="og:type" content="website"><meta property="og:site_name" content="Vitrine"><meta property="og:locale" content="pt_BR"><meta property="og:title" content="${title}"><meta property="og:description" content="${escapeHtml(text)}"><meta property="og:url" content="${url}">${script(product)}${page.stores.map((store) => script(business(store, merchant))).join('')}${script(trail)}<style>${style.css}</style></head><body><a class="skip" href="#conteudo">Pular para o conteúdo</a><header><a class="brand" href="${base}/">Vitrine</a></header><main id="conteudo"><article><h1>${escapeHtml(name)}</h1><p class="kicker">${escapeHtml(merchant)}</p><div class="lead">${media.map((picture) => `<div class="media"><img src="${escapeHtml(picture.url)}" alt="${escapeHtml(name)}" width="800" height="600" loading="lazy" decoding="async"></div>`).join('')}<div><p class="price">${money(price)}${percent > 0 ? ` <span class="before">antes <s>${money(before)}</s></span> <span class="tag">${percent}% a menos</span>` : ''}</p>${item.validUntil ? `<p><strong>Validade:</strong> <time datetime="${item.validFrom}">${item.validFrom}</time> a <time datetime="${item.validUntil}">${item.validUntil}</time></p>` : ''}<p class="copy">${escapeHtml(text)}</p>${item.product ? `<p class="links">Produto: <a href="${base}/products/${item.product.id}">${escapeHtml(item.product.name)}</a></p>` : ''}</div></div>${cards('Ofertas deste produto', page.offers ?? [], 'offers')}${stores(page.stores)}${cards(`Mais de ${merchant}`, page.related, page.offer ? 'offers' : 'products')}</article></main><footer><p>Consulta pública e gratuita para pessoas e seus assistentes.</p></footer></body></html>`;
}
