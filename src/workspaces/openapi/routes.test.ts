import fastify, { type FastifyInstance, type RouteShorthandOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type Answer, absent, accepted, done } from './answer.ts';
import { collectRoutes } from './routes.ts';

const nothing = async () => null;
const answered = (answer: Answer): RouteShorthandOptions & { readonly answer: Answer } => ({ answer });

/** Declares routes in a scope below the prefix, and returns the collected ones. */
async function collected(declare: (scope: FastifyInstance) => void) {
  const app = fastify();
  let routes: ReturnType<typeof collectRoutes> = [];
  app.register(
    async (scope) => {
      routes = collectRoutes(scope);
      await scope.register(async (inner) => declare(inner));
    },
    { prefix: '/api' },
  );
  await app.ready();
  return routes;
}

describe('the collected routes', () => {
  test('have their path below the prefix, and their answer', async () => {
    const routes = await collected((scope) => {
      scope.get('/doors/:door_id', answered(absent), nothing);
      scope.post('/doors', { ...answered(accepted), schema: { body: { type: 'object' } } }, nothing);
    });
    expect(routes).toEqual([
      { name: 'GET /doors/:door_id', method: 'GET', path: '/doors/:door_id', answer: absent },
      { name: 'POST /doors', method: 'POST', path: '/doors', answer: accepted, body: { type: 'object' } },
    ]);
  });

  test('a deletion returns nothing, if it does not declare something else', async () => {
    const routes = await collected((scope) => {
      scope.delete('/doors', nothing);
      scope.delete('/windows', answered(accepted), nothing);
    });
    expect(routes.map(({ answer }) => answer)).toEqual([done, accepted]);
  });

  test('a route without an answer stops the start', async () => {
    await expect(collected((scope) => scope.get('/doors', nothing))).rejects.toThrow(
      'The route GET /doors declares no answer',
    );
  });
});
