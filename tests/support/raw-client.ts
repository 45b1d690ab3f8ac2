import { connect, type Socket } from 'node:net';

/** An answer as it came over the wire. */
export type RawAnswer = { status: number; headers: Record<string, string>; body: string };

/** Reads the first answer of what came back; null when nothing whole came. */
export function parseAnswer(text: string): RawAnswer | null {
  const final = text.replace(/^(HTTP\/1\.1 100 [^\r]*\r\n\r\n)+/, '');
  const end = final.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = final.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const length = Number(headers['content-length'] ?? 0);
  const bytes = Buffer.from(final.slice(end + 4), 'latin1').subarray(0, length);
  return { status: Number(first.split(' ')[1]), headers, body: bytes.toString('utf8') };
}

/** Sends raw bytes and returns the first answer; null when the connection ends without one. */
export function askRaw(base: string, bytes: string | Buffer, timeoutMs = 15_000) {
  const { hostname, port } = new URL(base);
  return new Promise<RawAnswer | null>((done) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const finish = () => {
      socket.destroy();
      done(parseAnswer(text));
    };
    socket.setTimeout(timeoutMs, finish);
    socket.on('error', finish);
    socket.on('close', finish);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const answer = parseAnswer(text);
      const length = Number(answer?.headers['content-length'] ?? 0);
      if (answer !== null && Buffer.byteLength(answer.body) >= length) finish();
    });
    socket.write(bytes);
  });
}

/** Opens many connections, each with some first bytes, and keeps them; the answers are not looked at. */
export async function holdConnections(base: string, count: number, first = ''): Promise<Socket[]> {
  const { hostname, port } = new URL(base);
  const sockets: Socket[] = [];
  for (let opened = 0; opened < count; opened += 1) {
    const socket = connect(Number(port), hostname);
    // They are cut off sooner or later: that is the point.
    socket.on('error', () => {});
    socket.resume();
    await new Promise((done) => socket.once('connect', done).once('close', done));
    if (first !== '') socket.write(first);
    sockets.push(socket);
  }
  return sockets;
}
