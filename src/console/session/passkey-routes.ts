import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../lib/errors.ts';
import { boundTo, CEREMONY_MS, type Ceremony, openCeremony, sealCeremony } from './ceremony.ts';
import { dropCeremony, keepCeremony, passkeyCookie } from './cookie.ts';
import { fromOurPages } from './own-request.ts';
import type { Held, Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/** Question for a passkey. */
export interface PasskeyQuestion {
  /** Options for the browser (WebAuthn). */
  readonly options: object;
  readonly challenge: string;
}

/** Whether browsers accept passkeys at the address of a request. */
export interface PasskeyPlace {
  readonly works: boolean;
  /** Address at which they work, if they do not here; null if there is none. */
  readonly address: string | null;
}

/** Answer of a browser, with the challenge that it was asked. */
export interface PasskeyAnswer {
  readonly response: unknown;
  readonly challenge: string;
}

/** Passkeys, with which users sign in. */
export interface PasskeySignIn {
  placeOf(request: FastifyRequest): PasskeyPlace;
  /** @throws AppError at an address without passkeys */
  beginSignIn(request: FastifyRequest): Promise<PasskeyQuestion>;
  /** @throws AppError for an answer that is not valid */
  signIn(request: FastifyRequest, answer: PasskeyAnswer): Promise<Held>;
  /**
   * @param token token of the session
   * @throws AppError unless a user of this server is signed in
   */
  beginRegistration(request: FastifyRequest, token: string): Promise<PasskeyQuestion>;
  /** @throws AppError as the others */
  register(request: FastifyRequest, token: string, answer: PasskeyAnswer & { readonly name: string }): Promise<object>;
}

const PATH = '/~session/passkeys';

/** Keeps the question of a ceremony in the browser, and takes it back once. */
export class Ceremonies {
  readonly #sessions: Sessions;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  /** Stores the question in a cookie. */
  keep(
    reply: FastifyReply,
    purpose: Ceremony['purpose'],
    { challenge }: PasskeyQuestion,
    secret?: string,
    details: Ceremony['details'] = {},
  ): void {
    const { keyring, clock } = this.#sessions;
    const ceremony = { purpose, challenge, bound: boundTo(secret), details, endsAt: clock() + CEREMONY_MS };
    const text = sealCeremony(keyring, ceremony);
    if (text === undefined) {
      throw new AppError(
        'unprocessable',
        'The question for a passkey is too long for a cookie. Use a shorter username',
      );
    }
    reply.header('set-cookie', keepCeremony(text, CEREMONY_MS / 1000));
  }

  /**
   * Takes the question from the cookie, and deletes the cookie whatever the result is.
   * @throws 403 if it is absent, expired, or was asked for another use
   */
  take(request: FastifyRequest, reply: FastifyReply, purpose: Ceremony['purpose'], secret?: string): Ceremony {
    const { keyring, clock } = this.#sessions;
    reply.header('set-cookie', dropCeremony());
    const ceremony = openCeremony(keyring, passkeyCookie(request.headers.cookie), clock());
    if (ceremony?.purpose !== purpose || ceremony.bound !== boundTo(secret)) {
      throw new AppError(
        'forbidden',
        'The question for a passkey has expired, or another page has asked it. Start again',
      );
    }
    return ceremony;
  }
}

/** Declares the routes that sign users in with passkeys, and register new ones. */
export function passkeyRoutes(
  app: FastifyInstance,
  sessions: Sessions,
  passkeys: PasskeySignIn,
  signedIn: (request: FastifyRequest, reply: FastifyReply, session: Session) => Promise<object>,
): void {
  const ceremonies = new Ceremonies(sessions);
  const ours = { preHandler: fromOurPages };

  app.post(`${PATH}/options`, ours, async (request, reply) => {
    const question = await passkeys.beginSignIn(request);
    ceremonies.keep(reply, 'sign-in', question);
    return { options: question.options };
  });

  app.post(PATH, ours, async (request, reply) => {
    const { challenge } = ceremonies.take(request, reply, 'sign-in');
    const held = await passkeys.signIn(request, { response: memberOf(request.body, 'response'), challenge });
    const session = await sessions.signInAs(request, { workspaces: held });
    reply.code(201);
    return signedIn(request, reply, session);
  });

  app.post(`${PATH}/registration/options`, ours, async (request, reply) => {
    const token = await tokenOf(sessions, request);
    const question = await passkeys.beginRegistration(request, token);
    ceremonies.keep(reply, 'registration', question, token);
    return { options: question.options };
  });

  app.post(`${PATH}/registration`, ours, async (request, reply) => {
    const token = await tokenOf(sessions, request);
    const { challenge } = ceremonies.take(request, reply, 'registration', token);
    const answer = { response: memberOf(request.body, 'response'), challenge, name: textIn(request.body, 'name') };
    const passkey = await passkeys.register(request, token, answer);
    reply.code(201);
    return passkey;
  });
}

/** @throws 401 without a session of the workspace API */
async function tokenOf(sessions: Sessions, request: FastifyRequest): Promise<string> {
  const token = await sessions.tokenOf(request, 'workspaces');
  if (token === undefined) throw new AppError('unauthenticated', 'Sign in to the workspaces first');
  return token;
}

export const memberOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;

/** @throws 400 for a member that is not a text */
export function textIn(body: unknown, name: string): string {
  const value = memberOf(body, name);
  if (typeof value !== 'string') throw new AppError('bad-request', `The body needs the text "${name}"`);
  return value;
}
