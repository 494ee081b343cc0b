import { expect } from 'vitest';
import type { Bench } from './console.ts';

/** A name with markup: every page must show it as text. */
export const hostile = '<script>alert(1)</script>';

/** Creates a resource over the API as the first user. @returns its id */
export function makeOf({ server }: Bench) {
  return async (
    path: string,
    type: string,
    attributes: object,
    to: Readonly<Record<string, readonly [type: string, id: string]>> = {},
  ): Promise<string> => {
    const relationships = Object.fromEntries(
      Object.entries(to).map(([name, [kind, id]]) => [name, { data: { type: kind, id } }]),
    );
    const { status, body } = await server.user('POST', `/api/v2${path}`, { data: { type, attributes, relationships } });
    expect([path, status, body?.errors]).toEqual([path, 201, undefined]);
    return body.data.id;
  };
}

/** @returns the text of a new token */
export async function namedToken({ server }: Bench, path: string, description: string): Promise<string> {
  const { body } = await server.user('POST', `/api/v2${path}`, {
    data: { type: 'authentication-tokens', attributes: { description } },
  });
  return body.data.attributes.token;
}

/** Creates a user without a team. @returns a token of the user */
export async function newUser({ server }: Bench, name: string): Promise<string> {
  const { tenancy } = server.application.workspaces;
  const user = await tenancy.users.create({ username: name, email: `${name}@example.com` });
  return (await tenancy.tokens.issue(user.id, { description: '', expiresAt: null })).text;
}
