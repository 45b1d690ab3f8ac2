import { databaseUrlInUse } from '../src/server/database.ts';
import { fail, readArguments, run } from './command.ts';

const HELP = `
Usage: npm run -s db:url

Prints the URL of the database in use: DATABASE_URL, or that of the running embedded Postgres.`;

readArguments(HELP, {});
await run(async (config) => {
  const url = databaseUrlInUse(config);
  if (url === null) fail('the embedded Postgres is not running: start it with npm start');
  console.log(url);
});
