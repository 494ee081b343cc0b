import { Type } from 'typebox';
import { attribute, is, resourceOf } from '../../resource/index.ts';
import type { ClaimedRequest } from './forwarding.ts';

/** A request that an agent sends to a VCS provider. `authorities`: CAs that it trusts besides those of its system. */
export const ForwardedRequestResource = resourceOf<ClaimedRequest>()('forwarded-requests', {
  attributes: {
    method: attribute(Type.Enum(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']), 'method'),
    url: attribute(is.text, 'url'),
    headers: attribute(is.mapOf(is.text), 'headers'),
    body: attribute(is.textOrNull, 'body'),
    authorities: attribute(is.texts, 'authorities'),
    'max-bytes': attribute(is.integer, 'maxBytes'),
    'timeout-ms': attribute(is.integer, 'timeoutMs'),
  },
});
