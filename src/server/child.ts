import { type ChildProcess, fork } from 'node:child_process';

const LAST_WORDS = 4000;

/** CPU-bound work in a child process, so that the parent stays responsive. */
export type Child<Answer> = {
  /** Requests work, starting the process if needed; null if it was stopped. One request at a time. */
  ask(question?: string): Promise<Answer | null>;
  /** Kills the process, which must be safe at any time. */
  stop(): void;
};

/** Runs a module as a child process, started on demand and released after `idleMs` without a request. */
export function openChild<Answer>(
  module: URL,
  databaseUrl: string,
  { idleMs }: { idleMs: number },
): Child<Answer> {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let stopped = false;

  /** Disconnects the process, which makes it exit. */
  function release(): void {
    if (child?.connected) child.disconnect();
    child = undefined;
  }

  return {
    async ask(question = 'work') {
      clearTimeout(idle);
      if (child?.connected !== true) child = start(module, databaseUrl);
      try {
        const answer = await answerOf<Answer>(child, question);
        idle = setTimeout(release, idleMs);
        return answer;
      } catch (error) {
        release();
        if (stopped) return null;
        throw error;
      }
    },
    stop() {
      stopped = true;
      clearTimeout(idle);
      child?.kill('SIGKILL');
    },
  };
}

function start(module: URL, databaseUrl: string): ChildProcess {
  return fork(module, {
    // Empty counts as unset: the URL may have come from a file.
    env: { ...process.env, DATABASE_URL: databaseUrl, DATABASE_URL_FILE: '' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** Sends one request; rejects with the end of stderr if the process exits instead of answering. */
function answerOf<Answer>(child: ChildProcess, question: string): Promise<Answer> {
  return new Promise((done, fail) => {
    let words = '';
    const listen = (chunk: unknown) => {
      words = (words + chunk).slice(-LAST_WORDS);
    };
    const settle = (then: () => void) => {
      child.stderr?.off('data', listen);
      child.off('message', hear).off('close', end).off('error', fault);
      then();
    };
    const hear = (answer: unknown) => settle(() => done(answer as Answer));
    const end = () =>
      settle(() => fail(new Error(`child process exited without an answer: ${words}`)));
    const fault = (error: Error) => settle(() => fail(error));
    child.stderr?.on('data', listen);
    child.on('message', hear).on('close', end).on('error', fault);
    // If the process has just exited, 'close' reports why.
    child.send(question, () => {});
  });
}

/** Answers requests in the child process, and exits with its parent. */
export function answerWith<Answer>(work: (question: string) => Promise<Answer>): void {
  process.on('disconnect', () => process.exit(0));
  process.on('message', async (question: string) => {
    process.send?.(await work(question));
  });
}
