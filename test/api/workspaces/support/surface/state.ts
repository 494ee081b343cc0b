import { base64, versionBody } from '../states.ts';
import { STATE } from './bodies.ts';
import type { Expectation } from './expectation.ts';

/** State versions and their bytes. */
export const STATE_SURFACE: Readonly<Record<string, Expectation>> = {
  'GET /workspaces/:workspace_id/resources': { owner: 200 },
  'GET /workspaces/:workspace_id/current-state-version': { owner: 200 },
  'GET /state-versions': {
    owner: 200,
    query: 'filter[organization][name]=:organization_name&filter[workspace][name]=:workspace_name',
  },
  'POST /workspaces/:workspace_id/state-versions': {
    owner: 409,
    body: versionBody(STATE, { serial: 2, state: base64(STATE) }),
  },
  'GET /state-versions/:state_version_id': { owner: 200 },
  'GET /state-versions/:state_version_id/outputs': { owner: 200 },
  'GET /state-versions/:state_version_id/diff': { owner: 200 },
  'GET /state-versions/:state_version_id/graph': { owner: 200 },
  'GET /state-versions/:state_version_id/download': { owner: 200, contentType: 'application/octet-stream' },
  'GET /state-versions/:state_version_id/json-download': { owner: 404 },
  // Uploads need a signed URL, and no token.
  'PUT /state-versions/:state_version_id/upload': { owner: 401, stranger: 401 },
  'PUT /state-versions/:state_version_id/json-upload': { owner: 401, stranger: 401 },
  // The route shows the current state of an unlocked workspace.
  'POST /state-versions/:state_version_id/actions/soft_delete_backing_data': { owner: 400 },
  'POST /state-versions/:state_version_id/actions/restore_backing_data': { owner: 400 },
  'POST /state-versions/:state_version_id/actions/permanently_delete_backing_data': { owner: 400 },
  'PATCH /workspaces/:workspace_id/state-versions': {
    owner: 409,
    body: ({ state_version_id: id = 'sv-none' }) => ({
      data: {
        type: 'state-versions',
        relationships: { 'rollback-state-version': { data: { type: 'state-versions', id } } },
      },
    }),
  },
  'GET /state-version-outputs/:output_id': { owner: 200 },
  'GET /workspaces/:workspace_id/current-state-version-outputs': { owner: 200 },
};
