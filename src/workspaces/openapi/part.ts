import type { TSchema } from 'typebox';
import type { AnyResource } from '../resource/index.ts';
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

/** Contributions of a module to the document. */
interface Contribution {
  readonly resources?: readonly AnyResource[];
  readonly openApi?: OpenApiPart;
}

/** Merges the contributions of all modules. */
export function joined(modules: readonly Contribution[]): OpenApiPart {
  const declared = ({ resources = [], openApi }: Contribution) => [
    ...Object.entries(openApi?.resources ?? {}),
    ...resources.map(({ type, schema }): [string, TSchema] => [type, schema]),
  ];
  return {
    resources: Object.fromEntries(modules.flatMap(declared)),
    answers: Object.assign({}, OF_ALL, ...modules.map(({ openApi }) => openApi?.answers)),
  };
}

/** Returns the response of a route, by `GET /path/:parameter`. A route without a description has any document. */
export function answerOf({ answers }: OpenApiPart, route: string): Answer {
  return answers[route] ?? (route.startsWith('DELETE ') ? done : anything);
}
