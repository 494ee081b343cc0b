import type { Access } from '../../src/access/access.ts';
import { documentPath, methodOf, openApiDocument } from '../../src/access/openapi/openapi-document.ts';
import type { Operation } from '../../src/access/operation/operation.ts';
import { OperationRouter } from '../../src/access/operation/operation-router.ts';
import { verbOf } from '../../src/access/operation/verb.ts';
import { pathIn } from '../../src/access/pipeline/target.ts';
import { readTarget } from '../../src/server/request/target.ts';
import type { Answer, CallOptions } from './http.ts';
import { type Check, strictCheck } from './openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into it
type Json = any;

interface Place {
  readonly prefix: string;
  readonly router: OperationRouter;
}

/** Operation that may match the path of a request. */
interface Meant {
  readonly prefix: string;
  readonly operation: Operation;
}

/** Error schema: operations need not declare it, because every error has one format. */
const ERRORS = { $ref: '#/components/schemas/Errors' };
const WRAPPED = { $ref: '#/components/schemas/WrappedAnswer' };

/**
 * Checks by document and schema. All servers of a process share them, because compiling the schemas takes longer than
 * most tests.
 */
const compiled = new Map<string, Map<string, Check>>();

/** Validates responses of the access API against its OpenAPI document: the status, and every member of the body. */
export class AccessAnswers {
  readonly #access: Access;
  #made: Json;
  #checks = new Map<string, Check>();
  readonly #places: readonly Place[];

  constructor(access: Access) {
    this.#access = access;
    this.#places = access.operationGroups.map(({ prefix, operations }) => ({
      prefix,
      router: new OperationRouter(operations),
    }));
  }

  /** Loads the document on first use, because most test servers serve only the other API. */
  get #document(): Json {
    if (this.#made === undefined) {
      this.#made = openApiDocument(this.#access.operationGroups, '0.0.0');
      const text = JSON.stringify(this.#made);
      this.#checks = compiled.get(text) ?? this.#checks;
      compiled.set(text, this.#checks);
    }
    return this.#made;
  }

  /** @throws Error with the deviations of the response from the document */
  assert(method: string, path: string, options: CallOptions, answer: Answer): void {
    const faults = this.#faultsOf(method, path, options, answer);
    if (faults.length === 0) return;
    const shown = answer.text.slice(0, 2000);
    const told = faults.slice(0, 20).join('\n  ');
    throw new Error(
      `${method} ${path}: ${answer.status} is not what the API document says (what the operation \`answers\`):\n  ${told}\n${shown}`,
    );
  }

  #faultsOf(method: string, path: string, { headers = {} }: CallOptions, answer: Answer): string[] {
    if (!/^\/v1(\/|$)/.test(path) || method === 'HEAD') return [];
    if (answer.status === 200 && /[?&]help=./.test(path)) return this.#helpFaults(answer);
    const meant = this.#meant(method, path);
    const wrapped = 'x-vault-wrap-ttl' in headers && Boolean(answer.body?.wrap_info);
    if (wrapped && answer.status === 200) return this.#check(WRAPPED)(answer.body);
    const declared = meant.map((one) => this.#declaredFaults(one, path, answer)).filter((one) => one !== undefined);
    if (declared.length > 0) return declared.toSorted((a, b) => a.length - b.length)[0] ?? [];
    if (answer.status >= 400) return this.#check(ERRORS)(answer.body);
    return [meant.length > 0 ? `the status ${answer.status} is not declared` : 'there is no such operation'];
  }

  #helpFaults({ body }: Answer): string[] {
    const { help, see_also: seeAlso, openapi } = body;
    const whole = typeof help === 'string' && seeAlso === null && typeof openapi.paths === 'object';
    return whole && Object.keys(body).length === 3 ? [] : ['no help'];
  }

  /** Returns the faults of a response by the schema of its status, or `undefined` if the operation declares none. */
  #declaredFaults({ prefix, operation }: Meant, path: string, answer: Answer): string[] | undefined {
    const { responses } = this.#document.paths[documentPath(prefix, operation)][methodOf(operation)];
    // The caller of sys/health chooses the statuses.
    const chosen = prefix === 'sys' && operation.path === 'health' && path.includes(`=${answer.status}`);
    const response = responses[chosen ? 200 : answer.status];
    if (!response) return undefined;
    if (!response.content || (chosen && answer.text === ''))
      return answer.text === '' ? [] : ['a body where none is declared'];
    if (answer.body === undefined) return [`no JSON: ${answer.text.slice(0, 100)}`];
    return this.#check(response.content['application/json'].schema)(answer.body);
  }

  /** Several operations match if several mounts could be at the beginning of the path. */
  #meant(method: string, path: string): Meant[] {
    const { target, fault } = readTarget({ url: path, httpVersionMajor: 2, rawHeaders: [], headers: {} } as never, [
      this.#access.service,
    ]);
    if (fault) return [];
    const verb = verbIn(method, path);
    const wanted = pathIn(target);
    return this.#places.flatMap(({ prefix, router }) =>
      restsBelow(prefix, wanted).flatMap((rest) => {
        const operation = verb && router.match(rest)?.operations.get(verb);
        return operation ? [{ prefix, operation }] : [];
      }),
    );
  }

  #check(schema: { readonly $ref: string }): Check {
    const document = this.#document;
    const known = this.#checks.get(schema.$ref);
    if (known) return known;
    const made = strictCheck(schema, document);
    this.#checks.set(schema.$ref, made);
    return made;
  }
}

function verbIn(method: string, path: string) {
  const query = Object.fromEntries(new URL(path, 'https://localhost').searchParams);
  try {
    return verbOf(method, query);
  } catch {
    return undefined;
  }
}

/** Returns the rest of a path below a prefix. A mount path matches each number of segments. */
function restsBelow(prefix: string, path: string): string[] {
  if (path === prefix) return [''];
  if (path.startsWith(`${prefix}/`)) return [path.slice(prefix.length + 1)];
  if (!prefix.includes('{') || !path.startsWith('auth/') || path.startsWith('auth/token/')) return [];
  const parts = path.split('/');
  return parts.slice(2).map((_, index) => parts.slice(index + 2).join('/'));
}
