import { isRefusal } from './http/failures.ts';
import type { Server, ServerRequest } from './http/server.ts';
import type { Session } from './login/session.ts';

/** Status that an agent reports to the server. */
export type AgentStatus = 'idle' | 'busy' | 'exited' | 'errored';

/** Engines of an agent, as it registers them. */
export interface OfferedEngines {
  /** Engines on this machine, for example `opentofu 1.10.7`. */
  readonly engines: readonly string[];
  /** Whether the agent can also execute jobs for other engines. */
  readonly 'any-engine': boolean;
}

/** Long polling: how long the server may hold a request for a job, in seconds. */
const WAIT = 30;
const AGENTS = '/api/v2/agents';

/** Registration of one slot as an agent on the server. */
export class Registration {
  readonly #server: Server;
  readonly #session: Session;
  readonly id: string;

  private constructor(server: Server, session: Session, id: string) {
    this.#server = server;
    this.#session = session;
    this.id = id;
  }

  /** Resumes an earlier registration. If the server no longer has it, all requests fail with 404. */
  static resume({ server, session }: { readonly server: Server; readonly session: Session }, id: string): Registration {
    return new Registration(server, session, id);
  }

  /**
   * Registers a slot as an agent.
   * @throws Refusal, Unanswered
   */
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
    if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) throw new Error('the server returned no agent id');
    return new Registration(server, session, id);
  }

  /** Unregisters an agent that can no longer do so itself. @throws Refusal, Unanswered */
  static async leave(
    { server, session }: { readonly server: Server; readonly session: Session },
    id: string,
    signal: AbortSignal,
  ): Promise<void> {
    await session.token(signal);
    await new Registration(server, session, id).say('errored', signal);
  }

  /**
   * Claims the next job.
   * @returns the job as the server describes it; null if there was none
   * @throws Refusal: 404 if the agent is no longer registered; Unanswered
   */
  async claim(signal: AbortSignal): Promise<unknown> {
    return await this.#post(`actions/claim?wait=${WAIT}`, undefined, signal);
  }

  /**
   * Claims the next request to forward.
   * @returns the request as the server describes it; null if there was none
   * @throws Refusal: 404 if the agent is no longer registered, or the server forwards no requests; Unanswered
   */
  async claimRequest(signal: AbortSignal): Promise<unknown> {
    return await this.#post(`actions/claim-forwarded-request?wait=${WAIT}`, undefined, signal);
  }

  /** Sends a part of the response to a forwarded request. @throws Refusal: 404 if it is no longer awaited; Unanswered */
  async respond(id: string, attributes: object, signal: AbortSignal): Promise<void> {
    const body = { json: { data: { type: 'forwarded-responses', attributes } } };
    await this.#post(`forwarded-requests/${id}/actions/respond`, body, signal);
  }

  /** Sends a heartbeat with the current token, even if it may have expired. @throws Refusal, Unanswered */
  async say(status: AgentStatus, signal: AbortSignal): Promise<void> {
    const token = this.#session.current;
    if (token === null) return;
    const body = { json: { data: { type: 'agents', attributes: { status } } } };
    const path = `${AGENTS}/${this.id}`;
    await withLoginFailures(this.#session, token, () =>
      this.#server.request({ method: 'PATCH', path, token, headers: this.#header, body, signal }),
    );
  }

  async #post(action: string, body: ServerRequest['body'], signal: AbortSignal): Promise<unknown> {
    const path = `${AGENTS}/${this.id}/${action}`;
    const rest = { headers: this.#header, signal, ...(body && { body }) };
    return await withToken(this.#session, signal, (token) =>
      this.#server.request({ method: 'POST', path, token, ...rest }),
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

/** Records in the session whether the server accepted its token. */
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
