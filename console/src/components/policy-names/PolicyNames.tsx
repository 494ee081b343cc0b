import { Link } from '@tanstack/react-router';

/** Policies by name, each leading to its text. */
export function PolicyNames({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return <span className="soft">none</span>;
  return names.map((name, index) => (
    <span key={name}>
      {index > 0 && ', '}
      <Link className="link" to="/~access/policies/acl/$name" params={{ name }}>
        {name}
      </Link>
    </span>
  ));
}
