import type { TSchema } from 'typebox';
import { type Answer, type Answers, anything, done, file, open } from './answer.ts';

/** What a wing says of its resources, by their type, and of its routes. */
export interface OpenApiPart {
  readonly resources: Readonly<Record<string, TSchema>>;
  readonly answers: Answers;
}

const OF_ALL: Answers = {
  'GET /ping': open(done),
  'GET /openapi.json': open(file('application/json', false)),
};

/** All parts as one. */
export function joined(parts: readonly OpenApiPart[]): OpenApiPart {
  return {
    resources: Object.assign({}, ...parts.map(({ resources }) => resources)),
    answers: Object.assign({}, OF_ALL, ...parts.map(({ answers }) => answers)),
  };
}

/** What a route answers, by `GET /path/:parameter`. What nobody has described yet is any document at all. */
export function answerOf({ answers }: OpenApiPart, route: string): Answer {
  return answers[route] ?? (route.startsWith('DELETE ') ? done : anything);
}
