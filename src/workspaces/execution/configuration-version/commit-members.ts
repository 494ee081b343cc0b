import type { Ingress } from './configuration-version.ts';

/** Members of messages about runs that name the commit, with the words of HCP Terraform. Null without a commit. */
export function commitMembers(ingress: Ingress | undefined) {
  return {
    vcs_branch: ingress?.branch ?? null,
    vcs_commit_url: ingress?.commitUrl ?? null,
    vcs_pull_request_url: ingress?.pullRequestUrl ?? null,
    vcs_repo_url: ingress?.cloneUrl.replace(/\.git$/, '') || null,
  };
}
