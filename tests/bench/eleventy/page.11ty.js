// The page of a product or an offer for Eleventy: the markup of src/components as template literals, its
// quickest kind of template; words, dates, prices, cards and structured data by the same functions as ours.
import { offerHead, productHead } from '../vitrine/components/page-head.ts';
import { cleanLine, escapeJsonForScript } from '../vitrine/domain/escape.ts';
import { shortName } from '../vitrine/domain/links.ts';
import { offerArticle, productArticle } from './articles.js';
import { attr, line } from './parts.js';
import { site } from './site.js';

const { info, links } = site;

/** The picture of link previews, by default that of the service. */
const preview = (image) =>
  image === null
    ? `<meta property="og:image" content="${links.to('/og.png')}"><meta property="og:image:alt" content="Fachada de loja com toldo: produtos e ofertas do bairro"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">`
    : `<meta property="og:image" content="${attr(image.url)}"><meta property="og:image:alt" content="${attr(image.alt)}">`;

export const data = {
  pagination: { data: 'pages', size: 1, alias: 'page_model', addAllPagesToCollections: false },
  permalink: (all) => `/${all.page_model.path}.html`,
  eleventyExcludeFromCollections: true,
};

export function render({ page_model: page, style }) {
  const head = page.offer ? offerHead(page, site) : productHead(page, site);
  const title = attr(cleanLine(head.title));
  const description = attr(shortName(head.description, 300));
  const url = links.to(head.path);
  const graph = { '@context': 'https://schema.org', '@graph': head.graph };
  const article = page.offer ? offerArticle(page) : productArticle(page);
  return `<!DOCTYPE html><html lang="pt-BR"> <head><meta charset="utf-8"><title>${line(head.title)}</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="description" content="${description}"><meta name="color-scheme" content="light dark"><meta name="theme-color" content="#b5482a"><link rel="preload" href="/fontes/bricolage-grotesque-700.woff2" as="font" type="font/woff2" crossorigin><link rel="icon" href="/favicon.ico" sizes="32x32"><link rel="icon" href="${links.to('/favicon.svg')}" type="image/svg+xml"><link rel="canonical" href="${url}"><link rel="alternate" type="text/markdown" href="${head.twin}"><meta property="og:type" content="website"><meta property="og:site_name" content="${info.name}"><meta property="og:locale" content="pt_BR"><meta property="og:title" content="${title}"><meta property="og:description" content="${description}"><meta property="og:url" content="${url}">${preview(head.image)}<meta name="twitter:card" content="summary_large_image"> <script type="application/ld+json">${escapeJsonForScript(graph)}</script><style>${style.css}</style></head> <body> <a class="skip" href="#conteudo">Pular para o conteúdo</a> <header> <div> <a class="brand" href="${links.to('/')}"><svg width="34" height="34" viewBox="0 0 32 32" aria-hidden="true"> <path d="M5 14h22v14H5z" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linejoin="round"></path> <path d="M4 4h24l3 7.5a3.8 3.8 0 0 1-7.4 1 3.9 3.9 0 0 1-7.6 0 3.9 3.9 0 0 1-7.6 0A3.8 3.8 0 0 1 1 11.500z" fill="var(--awning)"></path> <path d="M9 18.500h7.500V28H9zM20 18.500h4v4h-4z" fill="currentColor"></path> </svg> <span>${info.name}</span></a> <search class="compact"> <form action="/buscar" method="get"> <div> <input name="q" type="search" aria-label="Buscar produtos, ofertas e lojas" placeholder="Buscar" maxlength="400" required autocomplete="off" enterkeyhint="search"> <button type="submit">Buscar</button> </div> </form> </search> </div> </header> <main id="conteudo"> ${article} </main> <footer> <div> <p> ${info.name} é uma consulta pública e gratuita. Ao citar um produto ou uma oferta, diga que a informação vem da ${info.name} e inclua o link. Não é permitido copiar o catálogo. </p> <nav aria-label="Sobre o serviço"> <a href="${links.to('/')}">Início</a> <a href="${links.to('/desenvolvedores')}">Desenvolvedores</a> <a href="${links.to('/docs')}">API</a> <a href="${links.to('/llms.txt')}">Guia para agentes</a> <a href="${links.to('/gpt.json')}">Números do catálogo</a> </nav> </div> </footer> </body> </html>`;
}
