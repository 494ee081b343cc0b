import findMyWay, { type HTTPMethod } from 'find-my-way';

/**
 * The methods that the routes of one listener take. A request with any other method is refused before a route sees it: Fastify answers
 * those in texts of its own, and over HTTP/2 a method can be any text.
 */
export class RoutedMethods {
  /** Every server takes GET and HEAD (RFC 9110 §9.1), wherever its routes are. */
  readonly #methods = new Set(['GET', 'HEAD']);
  readonly #routes: (readonly [method: string, url: string])[] = [];
  #router: findMyWay.Instance<findMyWay.HTTPVersion.V1> | undefined;

  /** Notes a route. @param url with parameters, as it is declared: `/api/v2/runs/:run_id` */
  add(method: string, url: string): void {
    this.#methods.add(method);
    this.#routes.push([method, url]);
    this.#router = undefined;
  }

  /** Whether any route takes the method, or could. */
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
