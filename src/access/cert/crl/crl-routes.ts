import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { serialOf } from '../../../revocation/crl/index.ts';
import { authenticate } from '../../authentication.ts';
import { envelope } from '../../envelope.ts';
import { requestBody } from '../../fields.ts';
import { listRoutes, type Page, pageOf } from '../../listing.ts';
import { authorize, type Capability } from '../../policies/authorize.ts';
import type { TokenService } from '../../tokens/token-service.ts';
import { roleName } from '../role.ts';
import { crlDocument, withSerials } from './crl-document.ts';
import type { CrlReading, CrlService } from './crl-service.ts';

/** Half a million entries in PEM; larger lists come by `url`. */
const BODY_BYTES = 32 * 2 ** 20;

type Named = { Params: { name: string } };

export interface CrlRouteDependencies {
  /** Of the mount, as policies name it: `auth/cert`. */
  readonly path: string;
  readonly crls: CrlService;
  readonly tokens: TokenService;
  readonly clock: Clock;
}

/** The revocation lists under their mount (spec §4): `/crls` and `/crls/:name`. */
export function crlRoutes(app: FastifyInstance, { path, crls, tokens, clock }: CrlRouteDependencies): void {
  const allow = async (request: FastifyRequest, capability: Capability, below: string): Promise<void> => {
    const { token } = await authenticate(tokens, request);
    authorize(token, capability, `${path}/${below}`);
  };

  app.route<Named>({
    method: ['POST', 'PUT'],
    url: '/crls/:name',
    bodyLimit: BODY_BYTES,
    // Before the body: nobody else is to make us read so much.
    onRequest: (request) => allow(request, 'update', `crls/${roleName(request.params.name)}`),
    handler: async (request, reply) => {
      await crls.write(roleName(request.params.name), requestBody(request.body));
      return reply.code(204).send();
    },
  });

  app.get<Named>('/crls/:name', async (request, reply) => {
    const name = roleName(request.params.name);
    await allow(request, 'read', `crls/${name}`);
    const reading = await crls.read(name);
    const serials = serialsOf(reading, pageOf(request));
    const json = JSON.stringify(envelope(request.id, { data: { ...crlDocument(reading, clock()), serials: {} } }));
    return reply.type('application/json').send(Readable.from(withSerials(json, serials)));
  });

  app.delete<Named>('/crls/:name', async (request, reply) => {
    const name = roleName(request.params.name);
    await allow(request, 'delete', `crls/${name}`);
    await crls.remove(name);
    return reply.code(204).send();
  });

  listRoutes(app, '/crls', async (request) => {
    await allow(request, 'list', 'crls');
    const { after, most } = pageOf(request);
    return crls.names(after, most);
  });
}

/** The serial numbers that a read asks for: all, or `limit` of them from behind `after` on, in the order of the list. */
function serialsOf({ loaded }: CrlReading, { after, most }: Page): Iterable<Uint8Array> {
  const { serials } = loaded.list;
  const serial = serialOf(after);
  const page = after === '' ? serials.serials(most) : serial && serials.serials(most, serial);
  if (!page) throw new AppError('bad-request', "'after' is not a serial number of this CRL");
  return page;
}
