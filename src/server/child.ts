import { type ChildProcess, fork } from 'node:child_process';

const LAST_WORDS = 4000;

/** Work that is done in a process of its own: it takes a core for a while, and a server beside it must go on answering. */
export type Child<Answer> = {
  /** Asks the process to do some work, and starts it unless it runs; null when it was stopped. One question at a time. */
  ask(question?: string): Promise<Answer | null>;
  /** Ends the process at once, which has to be safe at any instant. */
  stop(): void;
};

/** Opens a module as a process that works whenever it is asked, and stays for a while after its answer. */
export function openChild<Answer>(
  module: URL,
  databaseUrl: string,
  { idleMs }: { idleMs: number },
): Child<Answer> {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let stopped = false;

  /** Lets the process go: it ends when it is disconnected. */
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
    // An empty value is none: the URL may have come from a file.
    env: { ...process.env, DATABASE_URL: databaseUrl, DATABASE_URL_FILE: '' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** Asks a process once; fails with its last words when it ends instead. */
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
    const end = () => settle(() => fail(new Error(`a process ended without an answer: ${words}`)));
    const fault = (error: Error) => settle(() => fail(error));
    child.stderr?.on('data', listen);
    child.on('message', hear).on('close', end).on('error', fault);
    // One that has just ended tells why when it closes.
    child.send(question, () => {});
  });
}

/** In such a process: works whenever it is asked, and ends with the process that started it. */
export function answerWith<Answer>(work: (question: string) => Promise<Answer>): void {
  process.on('disconnect', () => process.exit(0));
  process.on('message', async (question: string) => {
    process.send?.(await work(question));
  });
}
