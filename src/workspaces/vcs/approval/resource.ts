import { Type } from 'typebox';
import { attribute, is, resourceOf, time, toOne } from '../../resource/index.ts';
import type { ForkApproval } from '../fork/approval.ts';

/** A user's approval to plan one commit of a pull request from a fork. */
export const ForkApprovalResource = resourceOf<ForkApproval>()('fork-approvals', {
  attributes: {
    'pull-request-number': attribute(is.integer, 'pullNumber', {
      create: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    }),
    'commit-sha': attribute(is.text, 'commitId', { create: Type.String({ pattern: '^[0-9a-f]{40}$' }) }),
    'approved-at': time('createdAt'),
    'approved-by-name': attribute(is.text, 'approvedByName'),
  },
  relationships: {
    workspace: toOne('workspaces', 'workspaceId'),
    'approved-by': toOne('users', 'approvedBy'),
  },
});
