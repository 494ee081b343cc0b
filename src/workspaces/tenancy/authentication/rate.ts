import type { ServiceRate } from '../../../lib/service.ts';

const refusal = () => "You have exceeded the API's rate limit.";

/** Counts requests by their token, on routes with a rate limit. */
export const TOKEN_RATE: ServiceRate = {
  of: 'workspaces',
  credentials: ['authorization', 'cookie'],
  kindOf: () => 'request',
  refusal,
};

/** Counts requests that carry a credential in their body. */
export const LOGIN_RATE: ServiceRate = {
  of: 'workspaces',
  credentials: ['cookie'],
  kindOf: (method) => (method === 'POST' ? 'login' : 'request'),
  refusal,
};
