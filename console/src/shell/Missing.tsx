import { Link } from '@tanstack/react-router';

/** What a policy would have to give, and why none does. */
export function Missing({ capability, path }: { readonly capability: string; readonly path: string }) {
  return (
    <>
      <code>
        {capability} on {path}
      </code>{' '}
      <Link className="link" to="/~access/policies/explain" search={{ path, capability }}>
        Why?
      </Link>
    </>
  );
}
