import { readSources } from '../src/understand/lexicon.ts';
import { checkSources } from '../src/understand/sources.ts';
import { fail, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run -s lexicon:check [-- LANGUAGE]

Reads the hand-written lexicon (src/understand/lexicon) and lists unreadable lines, unknown and doubled
needs, needs that a language lacks, forms given twice and forms that mean two needs; of one language, or
of all. Errors must be mended (exit 1); a warning may be meant.`;

const { positionals } = readArguments(HELP, {}, [0, 1]);

await run(async () => {
  const [language] = positionals;
  const sources = readSources();
  if (language !== undefined && !sources.forms.has(language)) {
    fail(`there are no forms of ${language}; there are: ${[...sources.forms.keys()].join(', ')}`);
  }
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
