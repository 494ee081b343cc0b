import { Link } from '@tanstack/react-router';
import * as texts from './texts.ts';

/** Policy names, each with a link to the policy. */
export function PolicyNames({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return <span className="soft">{texts.none}</span>;
  return names.map((name, index) => (
    <span key={name}>
      {index > 0 && ', '}
      <Link className="link" to="/~access/policies/acl/$name" params={{ name }}>
        {name}
      </Link>
    </span>
  ));
}
