import type { Access, AccessDependencies } from './access.ts';
import { CertificateLogins, CertMethods } from './cert/index.ts';
import { createAccessDomains } from './domains.ts';
import { keyMetricsOf } from './jwt/index.ts';
import { operationGroups } from './operation-groups.ts';
import { accessService, askWithin, Backends, Pipeline } from './pipeline/index.ts';
import { Sweep } from './sweep.ts';

/** Path of the cert method on a new server. */
const DEFAULT_MOUNT = 'cert';

/** Wires the access API. Starts no background work. */
export async function createAccess(dependencies: AccessDependencies): Promise<Access> {
  const { clock, version, report } = dependencies;
  const domains = createAccessDomains(dependencies);
  const { tokens, policies, authorities: policyResolver, wrapping, mounts } = domains;
  await mounts.table.ensure('cert', DEFAULT_MOUNT);
  await domains.history.note(domains.facts.version, clock());
  const backends = new Backends(mounts);
  const groups = operationGroups(domains, dependencies, backends);
  for (const { at, operations } of groups) if (at) backends.place(at, operations);
  const pipeline = new Pipeline({ backends, tokens, policyResolver, version });
  const logins = new CertificateLogins(tokens, mounts.table);
  const certMethods = new CertMethods(mounts);
  const sweep = new Sweep([() => tokens.sweep(), () => wrapping.sweep(), () => policies.sweep()], report);
  return {
    tokens,
    operationGroups: groups,
    service: accessService(pipeline, wrapping),
    ask: (request, asked) => askWithin(pipeline, request, asked),
    background: [sweep, mounts.keeper],
    certificateLogin: (text, address) => logins.loginOfToken(text, address),
    certificateLoginByReference: (reference, address) => logins.loginByReference(reference, address),
    certMethod: (path) => certMethods.methodAt(path),
    revocationMetrics: () => certMethods.revocationMetrics(),
    caExpiries: (soon) => certMethods.caExpiries(soon),
    issuerKeyMetrics: () => keyMetricsOf(mounts),
  };
}
