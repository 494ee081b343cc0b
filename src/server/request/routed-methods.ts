import findMyWay, { type HTTPMethod } from 'find-my-way';

/** Methods that always reach the API of the path, even without a route. */
const USUAL = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'LIST'];

/**
 * The methods that the routes of one listener take. Requests with any other method are refused before routing, because
 * the framework responds to some of them in its own format, and over HTTP/2 a method can be any text.
 */
export class RoutedMethods {
  readonly #methods = new Set(USUAL);
  readonly #routes: (readonly [method: string, url: string])[] = [];
  #router: findMyWay.Instance<findMyWay.HTTPVersion.V1> | undefined;

  /** Registers a route. @param url pattern with parameters, such as `/api/v2/runs/:run_id` */
  add(method: string, url: string): void {
    this.#methods.add(method);
    this.#routes.push([method, url]);
    this.#router = undefined;
  }

  /** Returns whether any route handles the method. */
  has(method: string): boolean {
    return this.#methods.has(method);
  }

  /**
   * Returns the methods of the routes at a path, sorted, for the header `Allow` (RFC 9110 §10.2.1). Empty: no route is
   * there.
   */
  at(path: string): readonly string[] {
    this.#router ??= routerOf(this.#routes);
    return [...this.#methods].filter((method) => this.#router?.find(method as HTTPMethod, path)).sort();
  }
}

/** Builds a router that finds the routes at a path. Built on first use, because most listeners never need it. */
function routerOf(routes: readonly (readonly [string, string])[]) {
  const router = findMyWay();
  for (const [method, url] of routes) {
    if (!router.hasRoute(method as HTTPMethod, url)) router.on(method as HTTPMethod, url, () => {});
  }
  return router;
}
