import { isRefusal } from './http/failures.ts';
import type { Server } from './http/server.ts';
import type { Session } from './login/session.ts';

/** What an agent says of itself. */
export type AgentStatus = 'idle' | 'busy' | 'exited' | 'errored';

/** Engines of an agent, as it registers them. */
export interface OfferedEngines {
  /** On this machine: `opentofu 1.10.7`. */
  readonly engines: readonly string[];
  /** Whether jobs that ask for others can be executed too. */
  readonly 'any-engine': boolean;
}

/** How long a question for a job is held, seconds. */
const WAIT = 30;
const AGENTS = '/api/v2/agents';

/** An agent as the server knows it: one for each slot. */
export class Registration {
  readonly #server: Server;
  readonly #session: Session;
  readonly id: string;

  private constructor(server: Server, session: Session, id: string) {
    this.#server = server;
    this.#session = session;
    this.id = id;
  }

  /** One that was made before, and may be gone: then whatever it asks is a 404. */
  static resume({ server, session }: { readonly server: Server; readonly session: Session }, id: string): Registration {
    return new Registration(server, session, id);
  }

  /** @throws Refusal, Unanswered */
  static async make(
    { server, session }: { readonly server: Server; readonly session: Session },
    attributes: OfferedEngines & { readonly name: string },
    signal: AbortSignal,
  ): Promise<Registration> {
    const body = { json: { data: { type: 'agents', attributes } } };
    const answer = await withToken(session, signal, (token) =>
      server.request({ method: 'POST', path: AGENTS, token, body, signal }),
    );
    const id = (answer as { data?: { id?: unknown } } | null)?.data?.id;
    if (typeof id !== 'string' || !/^[\w-]+$/.test(id))
      throw new Error('the server answered without the id of an agent');
    return new Registration(server, session, id);
  }

  /** Says goodbye for one that cannot. @throws Refusal, Unanswered */
  static async leave(
    { server, session }: { readonly server: Server; readonly session: Session },
    id: string,
    signal: AbortSignal,
  ): Promise<void> {
    await session.token(signal);
    await new Registration(server, session, id).say('errored', signal);
  }

  /**
   * The next job, as the server describes it; null when none came.
   * @throws Refusal: 404 when nobody is registered here any more; Unanswered
   */
  async claim(signal: AbortSignal): Promise<unknown> {
    const path = `${AGENTS}/${this.id}/actions/claim?wait=${WAIT}`;
    return await withToken(this.#session, signal, (token) =>
      this.#server.request({ method: 'POST', path, token, headers: this.#header, signal }),
    );
  }

  /** A sign of life, by whatever token there is. @throws Refusal, Unanswered */
  async say(status: AgentStatus, signal: AbortSignal): Promise<void> {
    const token = this.#session.current;
    if (token === null) return;
    const body = { json: { data: { type: 'agents', attributes: { status } } } };
    const path = `${AGENTS}/${this.id}`;
    await withLoginFailures(this.#session, token, () =>
      this.#server.request({ method: 'PATCH', path, token, headers: this.#header, body, signal }),
    );
  }

  get #header(): Record<string, string> {
    return { 'agent-id': this.id };
  }
}

async function withToken<T>(session: Session, signal: AbortSignal, work: (token: string) => Promise<T>): Promise<T> {
  const token = await session.token(signal);
  return await withLoginFailures(session, token, () => work(token));
}

/** Tells the session what the server thinks of its token. */
async function withLoginFailures<T>(session: Session, token: string, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work();
    session.accepted();
    return done;
  } catch (error) {
    if (isRefusal(error, 401)) session.refused(token);
    throw error;
  }
}
