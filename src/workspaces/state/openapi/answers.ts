import { type Answers, backingData, file, made, pageAnswer, resourceAnswer, stored } from '../../openapi/answer.ts';

const BYTES = 'application/octet-stream';

/** Responses of the state routes. */
export const STATE_ANSWERS: Answers = {
  'POST /workspaces/:workspace_id/state-versions': made('state-versions'),
  'PATCH /workspaces/:workspace_id/state-versions': made('state-versions'),
  'GET /workspaces/:workspace_id/current-state-version': resourceAnswer('state-versions'),
  'GET /workspaces/:workspace_id/current-state-version-outputs': pageAnswer('state-version-outputs'),
  'GET /workspaces/:workspace_id/resources': pageAnswer('resources'),
  'GET /state-versions': pageAnswer('state-versions'),
  'GET /state-versions/:state_version_id': resourceAnswer('state-versions'),
  'GET /state-versions/:state_version_id/diff': resourceAnswer('state-version-diffs'),
  'GET /state-versions/:state_version_id/graph': resourceAnswer('state-version-graphs'),
  'GET /state-versions/:state_version_id/outputs': pageAnswer('state-version-outputs'),
  'GET /state-version-outputs/:output_id': resourceAnswer('state-version-outputs'),
  ...backingData('/state-versions/:state_version_id'),
  'GET /state-versions/:state_version_id/download': file(BYTES, true),
  'GET /state-versions/:state_version_id/json-download': file('application/json', true),
  'PUT /state-versions/:state_version_id/upload': stored,
  'PUT /state-versions/:state_version_id/json-upload': stored,
};
