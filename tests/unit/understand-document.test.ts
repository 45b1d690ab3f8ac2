import { describe, expect, it } from 'vitest';
import { loadLexicon } from '../../src/understand/lexicon/lexicon.ts';
import { openDocuments } from '../../src/understand/record/document.ts';

const analyseDocument = openDocuments(loadLexicon());
const analyse = (title: string) => analyseDocument({ title });
const concepts = (tokens: readonly string[]) => tokens.filter((token) => token.startsWith('c:'));

describe('the head of a title is what it is about, and the kind of thing that this is', () => {
  it.each([
    ['Capinha para iPhone 15', ['c:phone-case', 'c:phone-accessory']],
    ['Tênis de corrida feminino Brisa', ['c:running-shoe', 'c:women', 'c:sneakers']],
    ['Tênis Brisa para corrida', ['c:running-shoe', 'c:sneakers']],
    ['Troca de tela de iPhone 13', ['c:phone-repair', 'c:repair']],
    ['Ração Golden para cães adultos 15kg', ['c:dog-food', 'c:pet-food']],
    ['Guarda-roupa casal 6 portas', ['c:wardrobe', 'c:double-bed', 'c:furniture']],
    ['Bolo de cenoura com chocolate', ['c:carrot-cake', 'c:cake']],
    ['Combo hambúrguer e batata frita', ['c:hamburger', 'c:french-fries']],
    ['Suporte de parede para TV 55', ['c:tv-mount', 'c:electronics']],
    ['Bicicleta Caloi infantil aro 16', ['c:kids-bicycle', 'c:kids', 'c:bicycle']],
    ['20% off em pizzas grandes', ['c:pizza', 'c:large']],
  ])('%s', (title, expected) => {
    expect(concepts(analyse(title).head)).toEqual(expected);
  });

  it('gives noise tokens apart, so that only queries of nothing else find it', () => {
    const { anywhere } = analyseDocument({
      title: 'Parafuso',
      body: 'Produto ideal com ou sem porca',
    });
    expect(anywhere.filter((token) => !token.startsWith('c:'))).toEqual(
      expect.arrayContaining(['n:produto', 'n:ideal', 'w:sem', 'w:porc']),
    );
    expect(anywhere).not.toContain('w:produt');
    expect(anywhere).not.toContain('n:com');
  });

  it('keeps what a thing goes with aside', () => {
    const { head, title, aside } = analyse('Capinha para iPhone 15');
    expect([...head, ...title]).not.toContain('c:phone');
    expect([...head, ...title]).not.toContain('w:iphon');
    expect(aside).toEqual(expect.arrayContaining(['c:phone', 'w:iphon']));
  });

  it('does not read clothes into a wardrobe', () => {
    const { head, title, aside, anywhere } = analyse('Guarda-roupa casal 6 portas');
    expect([...head, ...title, ...aside, ...anywhere]).not.toContain('c:clothing');
  });
});

describe('broader needs of the head are indexed', () => {
  it('puts the nearest broader need in the head and the rest below the title', () => {
    const tokens = analyse('Tênis de corrida feminino Brisa');
    expect(tokens.head).toContain('c:sneakers');
    expect(tokens.anywhere).toContain('c:footwear');
  });

  it('leaves places out of the head: bread is no bakery', () => {
    const { head, title } = analyse('Suco de laranja natural');
    expect(head).toContain('c:orange-juice');
    expect(analyse('Pizza marguerita').head).not.toContain('c:pizzeria');
    expect(title).toContain('c:juice');
  });
});

describe('words', () => {
  it('keeps brand and model words, stemmed alike in singular and plural', () => {
    const { head } = analyse('Smartphone Samsung Galaxy A54');
    expect(head).toEqual(expect.arrayContaining(['w:samsung', 'w:galaxy', 'w:a54']));
    expect(analyse('Camisas azuis').head).toContain(analyse('Camisa azul').head[0]);
  });

  it('takes the concept from the category when the title names none', () => {
    const document = { title: 'Cantina da Nonna', category: 'Restaurante italiano' };
    expect(analyseDocument(document).title).toContain('c:italian-restaurant');
    const plain = { title: 'Zé & Filhos', category: 'Padaria', body: 'Pão quentinho.' };
    const tokens = analyseDocument(plain);
    expect(tokens.title).toContain('c:bakery');
    expect(tokens.anywhere).toContain('c:bread');
  });

  it('does not read the brand as an English word', () => {
    const document = { title: 'iPhone 15 Apple 128GB', brand: 'Apple' };
    const { head, title, aside } = analyseDocument(document);
    expect([...head, ...title, ...aside]).not.toContain('c:apple-fruit');
  });

  it('tells a word as it is spelled in a title, by its stem alone in other texts', () => {
    const { head, anywhere } = analyseDocument({ title: 'Camisas azuis', body: 'Camisas macias' });
    expect(head).toEqual(expect.arrayContaining(['w:camis', 'x:camisas']));
    expect(anywhere).toContain('w:camis');
    expect(anywhere.filter((token) => token.startsWith('x:'))).toEqual([]);
  });

  it('knows a title by its words alone', () => {
    expect(analyse('CAFÉ  em grãos (500 g)').name).toBe(analyse('café em Grãos, 500 g').name);
  });
});

describe('what belongs to a thing names it aside, with or without "para"', () => {
  it.each([
    ['Capa iPhone 13', 'iphon'],
    ['Capa para iPhone 13', 'iphon'],
    ['Tela iPhone 12', 'iphon'],
    ['Flex iPhone 8', 'iphon'],
    ['Troca de tela de iPhone 13', 'iphon'],
    ['Bateria notebook Dell', 'notebook'],
    ['Pneu de bicicleta aro 29', 'biciclet'],
    ['Jogo PlayStation 5 Corrida', 'playstation'],
    ['Conserto de geladeira', 'geladeir'],
    ['Motor geladeira', 'geladeir'],
    ['Suporte TV 50', 'tv'],
  ])('"%s"', (title, owner) => {
    const { head, title: named, aside } = analyse(title);
    expect(aside).toContain(`w:${owner}`);
    expect([...head, ...named]).not.toContain(`w:${owner}`);
  });

  it.each([
    ['Celular Samsung com carregador', 'celular'],
    ['Console PlayStation 5', 'playstation'],
    ['Smart TV 50', 'tv'],
    ['Bicicleta com capacete', 'biciclet'],
    ['Smartphone iPhone 14', 'iphon'],
    ['Geladeira e fogão', 'fog'],
  ])('"%s" is the thing', (title, word) => {
    const { head, title: named, aside } = analyse(title);
    expect([...head, ...named].join(' ')).toContain(`w:${word}`);
    expect(aside.join(' ')).not.toContain(`w:${word}`);
  });
});
