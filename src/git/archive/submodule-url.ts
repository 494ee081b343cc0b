/** URL of a submodule that the server may fetch, or why it may not. */
export type SubmoduleUrl = { readonly url: string } | { readonly reason: string };

/**
 * Resolves the address of a submodule. Only HTTPS on the repository's own host is fetched, because the credential of the
 * connection is for that host.
 * @param repositoryUrl URL of the repository with the submodule
 * @param address as `.gitmodules` has it; `./` and `../` are relative to the repository
 */
export function submoduleUrl(repositoryUrl: string, address: string): SubmoduleUrl {
  if (/[\0-\x20\x7f]/.test(address)) return { reason: 'its address has a space or a control character' };
  const base = new URL(repositoryUrl);
  const text = /^\.\.?\//.test(address) ? relative(base, address) : address;
  if (text === undefined) return { reason: 'its address leads above the host' };
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return { reason: 'only addresses with https:// are fetched' };
  if (url.host !== base.host) return { reason: 'it is on another host' };
  if (url.protocol !== base.protocol) return { reason: `only addresses with ${base.protocol}// are fetched` };
  if (url.username !== '' || url.password !== '') return { reason: 'its address has a user name or password' };
  if (url.search !== '' || url.hash !== '') return { reason: 'its address has a query or a fragment' };
  return { url: url.href.replace(/\/+$/, '') };
}

/** Each `../` removes the last part of the repository's path, as Git does. */
function relative(base: URL, address: string): string | undefined {
  const parts = base.pathname.split('/').filter((part) => part !== '');
  let rest = address;
  for (let [step] = /^\.\.?\/+/.exec(rest) ?? []; step !== undefined; [step] = /^\.\.?\/+/.exec(rest) ?? []) {
    if (step.startsWith('../') && parts.pop() === undefined) return undefined;
    rest = rest.slice(step.length);
  }
  return `${base.origin}/${[...parts, rest].join('/')}`;
}
