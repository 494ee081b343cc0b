import type { TSchema } from 'typebox';
import { type Answer, type Answers, anything, done, file, open } from './answer.ts';

/** A module's resource schemas by type, and the responses of its routes. */
export interface OpenApiPart {
  readonly resources: Readonly<Record<string, TSchema>>;
  readonly answers: Answers;
}

const OF_ALL: Answers = {
  'GET /ping': open(done),
  'GET /openapi.json': open(file('application/json', false)),
};

/** Merges all parts. */
export function joined(parts: readonly OpenApiPart[]): OpenApiPart {
  return {
    resources: Object.assign({}, ...parts.map(({ resources }) => resources)),
    answers: Object.assign({}, OF_ALL, ...parts.map(({ answers }) => answers)),
  };
}

/** Returns the response of a route, by `GET /path/:parameter`. A route without a description has any document. */
export function answerOf({ answers }: OpenApiPart, route: string): Answer {
  return answers[route] ?? (route.startsWith('DELETE ') ? done : anything);
}
