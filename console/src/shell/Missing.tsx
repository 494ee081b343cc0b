import { Link } from '@tanstack/react-router';
import * as texts from './texts.ts';

/** Names the missing capability and links to the page that explains which policies apply. */
export function Missing({ capability, path }: { readonly capability: string; readonly path: string }) {
  return (
    <>
      <code>
        {capability} on {path}
      </code>{' '}
      <Link className="link" to="/~access/policies/explain" search={{ path, capability }}>
        {texts.why}
      </Link>
    </>
  );
}
