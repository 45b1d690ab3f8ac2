// The article of an offer and of a product, for Eleventy.
import { aboutOffer, offerCard, productCard, whereOf } from '../vitrine/components/cards.ts';
import { describeEnd, describeStart } from '../vitrine/components/format.ts';
import { offerTrail, productTrail } from '../vitrine/components/trail.ts';
import { cleanText } from '../vitrine/domain/escape.ts';
import { merchantPath } from '../vitrine/domain/lists.ts';
import { offerPrice, priced, productPrice } from '../vitrine/domain/price.ts';
import { box, cards, crumbs, each, gallery, html, line, some, storeList, videos } from './parts.js';
import { site } from './site.js';

const { links } = site;

const record = ({ media, name, about, texts, kicker, aside }) =>
  `<div class="record"> <div class="main"> ${gallery(media, name, about)} <div class="about"> ${each(texts, (text) => `<p class="copy">${html(cleanText(text))}</p>`)} ${videos(media)} </div> </div> <div class="side"> <div class="heading"> <h1>${line(name)}</h1> <p class="kicker">${kicker}</p> </div> ${aside} </div> </div>`;

const validity = ({ validFrom, validUntil }) =>
  `<p class="until"> Vale ${validUntil === null ? 'enquanto estiver publicada' : `até <time datetime="${validUntil}">${describeEnd(validUntil)}</time>`} ${some(validFrom, (from) => `<span class="soft">Desde <time datetime="${from}">${describeStart(from)}</time></span>`)} </p>`;

function offerPrices(offer) {
  const { headline, detail, usual } = offerPrice(priced(offer));
  const now = some(
    headline,
    () =>
      `<p class="price"> ${html(headline)} ${some(detail, () => `<span class="beside">${html(detail)}</span>`)} </p>`,
  );
  return `${now} ${some(offer.product, ({ id, name }) => `<p class="usual"> ${usual === null ? 'Produto: ' : 'Preço normal de '} <a href="${links.product(id)}">${line(name)}</a>${some(usual, () => `: <strong>${html(usual)}</strong>`)} </p>`)}`;
}

function productPrices(product) {
  const { now, before, percent } = productPrice(product.price, product.listPrice);
  return `<p class="price"> ${some(before, () => `<span class="beside">de <s>${before}</s> por</span>`)} ${now} ${some(percent, () => `<span class="tag">${percent}% a menos</span>`)} </p>`;
}

export function offerArticle(page) {
  const { offer, product, stores, related } = page;
  const { title: name, aiCategory, merchant: seller } = offer;
  const merchant = some(seller, () => line(seller.name));
  const merchantUrl = seller && links.to(merchantPath(seller.id));
  const where = whereOf(seller?.name, stores[0]);
  const media = offer.media.length > 0 ? offer.media : (product?.media ?? []);
  const about = aboutOffer({ ...offer, category: aiCategory ?? product?.category?.name ?? null });
  const texts = [offer.enrichedCopy, offer.description].filter(Boolean);
  const kicker = `${merchant || 'Vale em todas as lojas'} ${some(aiCategory, () => ` · ${line(aiCategory)}`)} ${offer.id < 0 ? ' · Forma de pagamento' : ''}`;
  const out = '<p><span class="tag out">Produto esgotado no momento</span></p>';
  const facts = `${offerPrices(offer)} ${product?.inStock === false ? out : ''} ${validity(offer)}`;
  const aside = box(name, links.offer(offer.id), page, merchantUrl, facts);
  const more = seller === null ? 'Outras formas de pagamento' : `Mais ofertas de ${merchant}`;
  const others = related.map((card) => offerCard(card, links, where));
  return `${crumbs(offerTrail(page, site))} <article> ${record({ media, name, about, texts, kicker, aside })} ${seller === null ? '' : storeList(page, merchant, merchantUrl)} ${cards(more, others)} </article>`;
}

export function productArticle(page) {
  const { product, stores, offers, related } = page;
  const { name, media, merchant: seller } = product;
  const merchant = line(seller.name);
  const merchantUrl = links.to(merchantPath(seller.id));
  const where = whereOf(seller.name, stores[0]);
  const category = product.category?.name ?? null;
  const kicker = [seller.name, product.brand, category].filter(Boolean).map(line).join(' · ');
  const texts = product.description === null ? [] : [product.description];
  const stock = product.inStock
    ? '<span class="tag">Disponível</span>'
    : '<span class="tag out">Esgotado no momento</span>';
  const facts = `${productPrices(product)} <p>${stock}</p>`;
  const aside = box(name, links.product(product.id), page, merchantUrl, facts);
  const about = offers.map((card) =>
    offerCard(card, links, card.merchantId === seller.id ? where : null),
  );
  const others = related.map((card) => productCard(card, links, { where, category }));
  return `${crumbs(productTrail(page, site))} <article> ${record({ media, name, about: [category, name], texts, kicker, aside })} ${cards('Ofertas deste produto', about)} ${storeList(page, merchant, merchantUrl)} ${cards(`Mais de ${merchant}`, others)} </article>`;
}
