import { type Answers, backingData, file, made, one, page, stored } from '../../openapi/answer.ts';

const BYTES = 'application/octet-stream';

/** What the routes of this wing answer. */
export const STATE_ANSWERS: Answers = {
  'POST /workspaces/:workspace_id/state-versions': made('state-versions'),
  'PATCH /workspaces/:workspace_id/state-versions': made('state-versions'),
  'GET /workspaces/:workspace_id/current-state-version': one('state-versions'),
  'GET /workspaces/:workspace_id/current-state-version-outputs': page('state-version-outputs'),
  'GET /workspaces/:workspace_id/resources': page('resources'),
  'GET /state-versions': page('state-versions'),
  'GET /state-versions/:state_version_id': one('state-versions'),
  'GET /state-versions/:state_version_id/diff': one('state-version-diffs'),
  'GET /state-versions/:state_version_id/graph': one('state-version-graphs'),
  'GET /state-versions/:state_version_id/outputs': page('state-version-outputs'),
  'GET /state-version-outputs/:output_id': one('state-version-outputs'),
  ...backingData('/state-versions/:state_version_id'),
  'GET /state-versions/:state_version_id/download': file(BYTES, true),
  'GET /state-versions/:state_version_id/json-download': file('application/json', true),
  'PUT /state-versions/:state_version_id/upload': stored,
  'PUT /state-versions/:state_version_id/json-upload': stored,
};
