import findMyWay, { type HTTPMethod } from 'find-my-way';

/** With these each API says itself what it makes of a path, whether a route is there or not. */
const USUAL = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'LIST'];

/**
 * The methods that the routes of one listener take. A request with any other method is refused before a route sees it: the framework
 * answers some of those in texts of its own, and over HTTP/2 a method can be any text.
 */
export class RoutedMethods {
  readonly #methods = new Set(USUAL);
  readonly #routes: (readonly [method: string, url: string])[] = [];
  #router: findMyWay.Instance<findMyWay.HTTPVersion.V1> | undefined;

  /** Notes a route. @param url with parameters, as it is declared: `/api/v2/runs/:run_id` */
  add(method: string, url: string): void {
    this.#methods.add(method);
    this.#routes.push([method, url]);
    this.#router = undefined;
  }

  /** Whether a route can take the method. */
  has(method: string): boolean {
    return this.#methods.has(method);
  }

  /** Returns the methods of the routes at a path, sorted, for the header `Allow` (RFC 9110 §10.2.1). Empty: no route is there. */
  at(path: string): readonly string[] {
    this.#router ??= routerOf(this.#routes);
    return [...this.#methods].filter((method) => this.#router?.find(method as HTTPMethod, path)).sort();
  }
}

/** Made when it is first needed: most listeners never are asked. */
function routerOf(routes: readonly (readonly [string, string])[]) {
  const router = findMyWay();
  for (const [method, url] of routes) {
    if (!router.hasRoute(method as HTTPMethod, url)) router.on(method as HTTPMethod, url, () => {});
  }
  return router;
}
