import { createServer } from 'node:http';
import sirv from 'sirv';

// sirv over a published tree, as its README sets it up for production.
const [, , folder = '.'] = process.argv;
const port = Number(process.env.PORT);
const serve = sirv(folder, { extensions: ['html'], etag: true, gzip: true });
createServer((request, response) => serve(request, response)).listen(port, '127.0.0.1', () => {
  console.log(`sirv is ready at http://127.0.0.1:${port}`);
});
