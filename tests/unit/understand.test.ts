import { describe, expect, it } from 'vitest';
import { READING, ROLE } from '../../src/domain/relevance.ts';
import type { Clause } from '../../src/domain/search.ts';
import { loadLexicon, readSources } from '../../src/understand/lexicon/lexicon.ts';
import { checkSources } from '../../src/understand/lexicon/sources.ts';
import { understand } from '../../src/understand/query.ts';
import { firstToken } from '../support/head-of.ts';

const lexicon = loadLexicon();
const ask = (query: string) => understand(query, lexicon);

const headOf = (query: string) => firstToken(ask(query));

const isSaid = ({ words }: Clause, token: string) => words.some((word) => word.token === token);
const isMeant = ({ meanings }: Clause, token: string) =>
  meanings.some((meaning) => meaning.token === token);

const weightOf = (query: string, token: string) =>
  ask(query).clauses.find((clause) => isMeant(clause, token))?.weight ?? 0;

describe('the query is turned into catalog concepts, whatever the language', () => {
  it.each([
    ['açaí na tigela 500ml', 'c:acai'],
    ['acai', 'c:acai'],
    ['conserto de tela de iphone', 'c:phone-repair'],
    ['fralda pampers tamanho G', 'c:diaper'],
    ['lava rápido no Tatuapé', 'c:car-wash'],
    ['quero comprar tênis para correr', 'c:running-shoe'],
    ['tênis feminino para corrida', 'c:running-shoe'],
    ['pizzarias', 'c:pizzeria'],
    ['pães de queijo congelados', 'c:cheese-bread'],
    ['vet open 24h', 'c:vet'],
    ['good coffee near Paulista', 'c:coffee'],
    ['laptop for college', 'c:notebook'],
    ['where can I buy running shoes', 'c:running-shoe'],
    ['dog food', 'c:dog-food'],
    ['something for my dog to eat, puppy food please', 'c:puppy-food'],
  ])('%s -> %s', (query, token) => {
    expect(headOf(query)).toBe(token);
  });

  it('shows labels in Brazilian Portuguese, the surest first', () => {
    expect(ask('women running shoes').concepts).toEqual(['tênis de corrida', 'feminino']);
  });

  it('names the language when it is clear and says null when nothing is known', () => {
    expect(ask('where can I buy running shoes').language).toBe('en');
    expect(ask('onde encontro tênis de corrida').language).toBe('pt');
    expect(ask('').language).toBeNull();
  });
});

describe('a name wins over a purpose, and a longer form over its parts', () => {
  it.each([
    ['phone case', 'c:phone-case'],
    ['phone case for iphone 15', 'c:phone-case'],
    ['capinha para iphone 15', 'c:phone-case'],
    ['laptop charger', 'c:notebook-charger'],
    ['carregador de notebook dell', 'c:notebook-charger'],
    ['printer ink', 'c:ink-cartridge'],
    ['iphone 15', 'c:phone'],
    ['guarda roupa', 'c:wardrobe'],
    ['pan', 'c:pan'],
    ['medicine for headache', 'c:painkiller'],
    ['remédio para dor de cabeça', 'c:painkiller'],
    ['massagem para dor de cabeça', 'c:massage'],
    ['suco de laranja', 'c:orange-juice'],
    ['vestido laranja', 'c:dress'],
  ])('%s -> %s', (query, token) => {
    expect(headOf(query)).toBe(token);
  });

  it('joins two needs into the one that they mean together', () => {
    expect(headOf('conserto de espremedor')).toBe('c:appliance-repair');
    expect(headOf('bicicleta caloi aro 16 infantil')).toBe('c:kids-bicycle');
  });
});

describe('attributes describe and never lead', () => {
  it.each(['vestido vermelho', 'red dress', 'women dress'])('%s is about a dress', (query) => {
    expect(headOf(query)).toBe('c:dress');
    expect(ask(query).clauses.length).toBeGreaterThan(1);
  });

  it('weighs an attribute below the thing', () => {
    expect(weightOf('vestido vermelho', 'c:red')).toBeLessThan(
      weightOf('vestido vermelho', 'c:dress'),
    );
  });
});

describe('brands, models and numbers become terms', () => {
  it('keeps leftover words as terms', () => {
    const terms = ask('geladeira Brastemp BRM54').clauses.filter(({ kind }) => kind === 'term');
    expect(terms.map(({ words }) => words)).toEqual([
      [{ token: 'w:brastemp', spelled: null }],
      [{ token: 'w:brm54', spelled: null }],
    ]);
  });

  it('asks for the words of a concept and for what they mean as one thing', () => {
    const [clause, ...others] = ask('tênis de corrida').clauses;
    expect(others.filter(({ weight }) => weight > ROLE.soft)).toEqual([]);
    expect(clause?.words.map(({ token }) => token)).toEqual(['w:tenis', 'w:corrid']);
    expect(clause?.meanings).toEqual([{ token: 'c:running-shoe', sureness: 1 }]);
  });

  it('keeps a word as it is spelled beside its stem', () => {
    const [clause] = ask('violinos').clauses;
    expect(clause?.words).toEqual([{ token: 'w:violin', spelled: 'x:violinos' }]);
  });

  it('lets a drug or maker inside a concept order the results, as a word of it', () => {
    expect(headOf('epocler')).toBe('c:hangover-cure');
    const { clauses } = ask('epocler');
    expect(clauses).toHaveLength(1);
    expect(clauses[0]?.words).toEqual([{ token: 'w:epocler', spelled: null }]);
  });

  it('is less sure of what words of another language mean, and knows the name of that', () => {
    const [clause] = ask('where can I buy running shoes').clauses;
    const [first, ...others] = clause?.meanings ?? [];
    expect(first).toEqual({ token: 'c:running-shoe', sureness: READING.foreign });
    for (const { sureness } of others) expect(sureness).toBeLessThan(READING.foreign);
    expect(clause?.names.map(({ token }) => token)).toEqual(['w:tenis', 'w:corrid']);
  });
});

describe('signals and noise are stripped', () => {
  it('detects cheap, near, open, delivery and gift', () => {
    const { signals, concepts } = ask('pizza barata perto de mim aberta agora com entrega');
    expect(signals).toMatchObject({ cheap: true, near: true, open: true, delivery: true });
    expect(concepts).toEqual(['pizza']);
    expect(ask('caneca para presente').signals.gift).toBe(true);
  });

  it('answers with gifts when a gift is all that is asked', () => {
    expect(headOf('gift ideas for my mom')).toBe('c:gift');
  });

  it('leaves no clause for a query of polite words', () => {
    expect(ask('where can I find some please').clauses).toEqual([]);
  });

  it.each([
    ['produto de qualidade', ['n:produto', 'n:de', 'n:qualidade']],
    ['com o de para', ['n:com', 'n:o', 'n:de', 'n:para']],
    ['marca ideal', ['w:marc']],
    ['quero entrega', ['w:entreg']],
    ['テント', []],
  ])('keeps the words as they are written, noise only when it is all: %s', (query, tokens) => {
    expect(ask(query).words.map(({ words: [only] }) => only?.token)).toEqual(tokens);
  });
});

describe('typos are corrected only in unknown words', () => {
  it('offers the repaired concept beside the word as written', () => {
    const [clause] = ask('geladera').clauses;
    expect(clause && isMeant(clause, 'c:fridge')).toBe(true);
    expect(clause && isSaid(clause, 'w:gelader')).toBe(true);
  });

  it('is less sure of a guess than of a word', () => {
    expect(ask('xinelo').clauses[0]?.meanings[0]?.sureness).toBe(READING.loneGuess);
    expect(ask('chinelo').clauses[0]?.meanings[0]?.sureness).toBe(1);
  });

  it.each([
    ['xuteira', 'c:cleats'],
    ['headfones', 'c:headphones'],
    ['xinelo', 'c:flip-flops'],
    ['bluetuf fone', 'c:earbuds'],
    ['Kaffemaschiene', 'c:filter-coffee-maker'],
    ['Kaffemaschine', 'c:filter-coffee-maker'],
  ])('reads %s as it sounds', (word, need) => {
    expect(headOf(word)).toBe(need);
  });

  it('takes no function word of a usual language for a thing of another', () => {
    expect(headOf('un hamburger')).toBe('c:hamburger');
  });

  it('takes no word of a sentence for a slip in another language', () => {
    const needs = (query: string) =>
      ask(query).clauses.flatMap(({ meanings }) => meanings.map(({ token }) => token));
    expect(needs('can someone reinstall windows')).not.toContain('c:raincoat');
    expect(needs('something to sleep better')).not.toContain('c:bed');
  });

  it('does not correct a brand to the head need', () => {
    expect(headOf('notebook Lenovo')).toBe('c:notebook');
  });
});

describe('broader needs serve the fallback, not the match', () => {
  it('keeps them out of the meanings', () => {
    const intent = ask('tênis de corrida');
    expect(intent.broader.slice(0, 2)).toEqual(['c:sneakers', 'c:footwear']);
    expect(intent.clauses.some((clause) => isMeant(clause, 'c:footwear'))).toBe(false);
  });
});

describe('hostile input stays bounded', () => {
  const size = 64 * 1024;
  it.each([
    ['one letter', 'a'.repeat(size)],
    ['words', 'tenis '.repeat(size / 6)],
    ['combining marks', `a${'\u0301'.repeat(size)}`],
    ['Han', '跑鞋'.repeat(size / 2)],
    ['Thai marks', 'ก็'.repeat(size / 2)],
    ['lone surrogates', '\ud800\udc00\ud800'.repeat(size / 3)],
    ['ligatures that grow', '\ufdfa'.repeat(size)],
    ['a regex bomb', `${'a a '.repeat(size / 4)}!`],
    ['control characters', '\u0000\u200b\ufeff'.repeat(size / 3)],
  ])('%s', (_, query) => {
    const intent = ask(query);
    expect(intent.clauses.length).toBeLessThanOrEqual(24);
    expect(intent.concepts.length).toBeLessThanOrEqual(64);
  });
});

describe('the lexicon', () => {
  it('has no errors in any of its files', () => {
    const errors = checkSources(readSources()).filter((finding) => finding.level === 'error');
    expect(errors).toEqual([]);
    // Several seconds of work, more on a busy machine.
  }, 60_000);

  it('finds unknown needs, doubled ids and forms that mean two needs', () => {
    const findings = checkSources({
      needs: 'id\tlabel\tbroader\tkind\na\tA\tzz\titem\na\tA\t-\titem\nb\tB\t-\titem\n',
      combinations: 'need\tparts\n',
      shorthand: '',
      harvest: '',
      forms: new Map([['pt', 'a: um\nb: um, dois, dois\nnope: três\n']]),
    });
    const messages = findings.map((finding) => `${finding.level} ${finding.message}`);
    expect(messages).toContain('error id given twice');
    expect(messages).toContain('error unknown broader need zz');
    expect(messages).toContain('error unknown need');
    expect(messages).toContain('warning um also means a');
    expect(messages).toContain('warning form given twice: dois');
  });

  it('has the same version for the same files', () => {
    expect(lexicon.version).toMatch(/^[0-9a-f]{16}$/);
    expect(loadLexicon().version).toBe(lexicon.version);
  });
});
