import { agreementOf } from '../src/harvest/agreement.ts';
import { openDictionaries } from '../src/harvest/dictionary.ts';
import { readSources } from '../src/understand/lexicon/lexicon.ts';
import { checkSources, parseForms, parseNeeds } from '../src/understand/lexicon/sources.ts';
import type { Sources } from '../src/understand/lexicon-types.ts';
import { fail, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run -s lexicon:check [-- LANGUAGE]

Checks the hand-written lexicon (src/understand/lexicon), one language or all: lists unreadable lines, unknown
and duplicate needs, needs missing in a language, duplicate forms and forms with two needs. Errors must be
fixed (exit 1); warnings may be intended.

For one language it also counts the names that Debian's bilingual dictionaries know and confirm via English,
and lists those that they contradict: look at these first. If the dictionaries are not installed, it names
their packages.`;

const { positionals } = readArguments(HELP, {}, [0, 1]);

await run(async () => {
  const [language] = positionals;
  const sources = readSources();
  if (language !== undefined && !sources.forms.has(language)) {
    fail(`there are no forms of ${language}; there are: ${[...sources.forms.keys()].join(', ')}`);
  }
  if (language !== undefined) tellAgreement(language, sources);
  const findings = checkSources(sources).filter(
    (finding) => language === undefined || finding.language === language,
  );
  for (const { level, language: of, need, message } of findings) {
    console.log([level, of ?? 'needs.tsv', need ?? '', message].join('\t'));
  }
  const errors = findings.filter((finding) => finding.level === 'error').length;
  process.stderr.write(`lexicon: ${errors} errors, ${findings.length - errors} warnings\n`);
  process.exitCode = errors === 0 ? 0 : 1;
});

function tellAgreement(language: string, { needs, forms }: Sources): void {
  const dictionaries = openDictionaries(language);
  if (dictionaries === null) return;
  if (dictionaries.toEnglish === null && dictionaries.fromEnglish === null) {
    const names = dictionaries.packages.join(' ');
    process.stderr.write(`no dictionary of ${language}: apt-get install ${names}\n`);
    return;
  }
  const formsOf = (of: string) => parseForms(forms.get(of) ?? '').forms;
  const byId = new Map(parseNeeds(needs).needs.map((need) => [need.id, need]));
  const names = { needs: byId, english: formsOf('en'), forms: formsOf(language) };
  const { names: all, known, confirmed, contradicted } = agreementOf(names, dictionaries);
  for (const { form, need, meant } of contradicted) {
    console.log(['contradicted', language, need, `${form}: ${meant.join(', ')}`].join('\t'));
  }
  const share = known === 0 ? 0 : Math.round((100 * confirmed) / known);
  process.stderr.write(
    `${language}: dictionaries know ${known} of ${all} names, confirm ${confirmed} (${share} %) ` +
      `and contradict ${contradicted.length}\n`,
  );
}
