// Keeps a Node process, and those that it starts, from talking to anything but loopback. Plain
// JavaScript, because the programs of hosts load it through NODE_OPTIONS.
import { Socket } from 'node:net';

const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;
const connect = Socket.prototype.connect;

Socket.prototype.connect = function connectLocally(...args) {
  const [first, second] = args.flat();
  const host = typeof first === 'object' ? first.host : second;
  if (typeof host === 'string' && !LOCAL.test(host)) {
    process.stderr.write(`a host under test wanted to connect to ${host}\n`);
    throw new Error(`${host} is not loopback`);
  }
  return connect.apply(this, args);
};
