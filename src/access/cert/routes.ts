import type { FastifyInstance, FastifyRequest } from 'fastify';
import { authenticate, type Caller } from '../authentication.ts';
import { envelope } from '../envelope.ts';
import { parseFields, requestBody, text } from '../fields.ts';
import { listRoutes, pageOf } from '../listing.ts';
import { authorize, type Capability } from '../policies/authorize.ts';
import { authBlock } from '../tokens/routes.ts';
import type { TokenService } from '../tokens/token-service.ts';
import type { CertMethod } from './method.ts';
import { roleName } from './role.ts';

const LOGIN_FIELDS = { name: text() };
const EXPLAIN_FIELDS = { name: text(), certificate: text(), address: text() };

type Named = { Params: { name: string } };

/** The certificate method under its mount: `/certs` for administrators, `/login` for machines (spec §4). */
export function certRoutes(app: FastifyInstance, method: CertMethod, tokens: TokenService): void {
  const path = `auth/${method.mount.path}`;
  const allow = async (request: FastifyRequest, capability: Capability, below: string): Promise<Caller> => {
    const caller = await authenticate(tokens, request);
    authorize(caller.token, capability, `${path}/${below}`);
    return caller;
  };

  app.route<Named>({
    method: ['POST', 'PUT'],
    url: '/certs/:name',
    handler: async (request, reply) => {
      const name = roleName(request.params.name);
      await allow(request, 'update', `certs/${name}`);
      const warnings = await method.roles.write(name, requestBody(request.body));
      return warnings.length ? envelope(request.id, { warnings }) : reply.code(204).send();
    },
  });

  app.get<Named>('/certs/:name', async (request) => {
    const name = roleName(request.params.name);
    await allow(request, 'read', `certs/${name}`);
    return envelope(request.id, { data: await method.roles.read(name) });
  });

  app.delete<Named>('/certs/:name', async (request, reply) => {
    const name = roleName(request.params.name);
    await allow(request, 'delete', `certs/${name}`);
    await method.roles.remove(name);
    return reply.code(204).send();
  });

  listRoutes(app, '/certs', async (request) => {
    await allow(request, 'list', 'certs');
    const { after, most } = pageOf(request);
    return method.roles.names(after, most);
  });

  app.get('/config', async (request) => {
    await allow(request, 'read', 'config');
    return envelope(request.id, { data: { ...(await method.roles.readConfig()) } });
  });

  app.route({
    method: ['POST', 'PUT'],
    url: '/config',
    handler: async (request, reply) => {
      await allow(request, 'update', 'config');
      await method.roles.writeConfig(requestBody(request.body));
      return reply.code(204).send();
    },
  });

  app.route({
    method: ['POST', 'PUT'],
    url: '/login/explain',
    handler: async (request) => {
      await allow(request, 'update', 'login/explain');
      const { values } = parseFields(EXPLAIN_FIELDS, requestBody(request.body));
      const { name = '', certificate = '', address = '' } = values;
      return envelope(request.id, { data: await method.explainer.explain({ name, certificate, address }, request) });
    },
  });

  app.route({
    method: ['POST', 'PUT'],
    url: '/login',
    handler: async (request) => {
      const { name = '' } = parseFields(LOGIN_FIELDS, requestBody(request.body)).values;
      const issued = await method.login(name, request);
      return envelope(request.id, {
        auth: authBlock(issued.token, issued.text, issued.ttl),
        warnings: issued.warnings,
      });
    },
  });
}
