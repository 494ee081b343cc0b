import { type Answer, type Answers, anything, done, file, open } from '../answer.ts';
import { ORGANIZATION_ANSWERS } from './organizations.ts';
import { RUN_ANSWERS } from './runs.ts';
import { WORKSPACE_ANSWERS } from './workspaces.ts';

const ANSWERS: Answers = {
  'GET /ping': open(done),
  'GET /openapi.json': open(file('application/json', false)),
  ...ORGANIZATION_ANSWERS,
  ...WORKSPACE_ANSWERS,
  ...RUN_ANSWERS,
};

/** What a route answers, by `GET /path/:parameter`. What nobody has described yet is any document at all. */
export function answerOf(route: string): Answer {
  return ANSWERS[route] ?? (route.startsWith('DELETE ') ? done : anything);
}

/** Descriptions of routes, for whoever looks for those that are gone. */
export const DESCRIBED: readonly string[] = Object.keys(ANSWERS);
