import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fromOurPages } from './own-request.ts';
import { Ceremonies, memberOf, type PasskeyAnswer, type PasskeyQuestion, textIn } from './passkey-routes.ts';
import type { Held, Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/** Invitations, as the holder of their link uses them without a session. */
export interface InvitationSignIn {
  /** @throws AppError for a link that does not work */
  show(secret: string): Promise<object>;
  /**
   * Starts the creation of an account with a passkey.
   * @throws AppError for a link that does not work, and for an invalid or taken name
   */
  beginAccount(
    request: FastifyRequest,
    given: { readonly secret: string; readonly username: string },
  ): Promise<PasskeyQuestion & { readonly userId: string }>;
  /** Creates the account, accepts the invitation, and signs the user in. */
  createAccount(
    request: FastifyRequest,
    given: PasskeyAnswer & {
      readonly secret: string;
      readonly userId: string;
      readonly username: string;
      readonly passkey: string;
    },
  ): Promise<Held>;
}

const PATH = '/~session/invitations';

/** Declares the routes of the page to which the link of an invitation leads. */
export function invitationRoutes(
  app: FastifyInstance,
  sessions: Sessions,
  invitations: InvitationSignIn,
  signedIn: (request: FastifyRequest, reply: FastifyReply, session: Session) => Promise<object>,
): void {
  const ceremonies = new Ceremonies(sessions);
  const ours = { preHandler: fromOurPages };

  // The secret is in a body, because URLs get into logs.
  app.post(`${PATH}/show`, ours, async ({ body }) => invitations.show(textIn(body, 'secret')));

  app.post(`${PATH}/account/options`, ours, async (request, reply) => {
    const given = { secret: textIn(request.body, 'secret'), username: textIn(request.body, 'username') };
    const { userId, ...question } = await invitations.beginAccount(request, given);
    ceremonies.keep(reply, 'account', question, given.secret, { userId, username: given.username });
    return { options: question.options };
  });

  app.post(`${PATH}/account`, ours, async (request, reply) => {
    const secret = textIn(request.body, 'secret');
    const { challenge, details } = ceremonies.take(request, reply, 'account', secret);
    const { userId = '', username = '' } = details;
    const answer = { response: memberOf(request.body, 'response'), challenge, passkey: textIn(request.body, 'name') };
    const held = await invitations.createAccount(request, { ...answer, secret, userId, username });
    const session = await sessions.signInAs(request, { workspaces: held });
    reply.code(201);
    return signedIn(request, reply, session);
  });
}
