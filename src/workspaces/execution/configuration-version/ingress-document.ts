import { type Resource, toOne } from '../../jsonapi/document.ts';
import type { Ingress } from './ingress.ts';

/** Members of messages about runs that name the commit, with the words of HCP Terraform. Null without a commit. */
export function commitMembers(ingress: Ingress | undefined) {
  return {
    vcs_branch: ingress?.branch ?? null,
    vcs_commit_url: ingress?.commitUrl ?? null,
    vcs_pull_request_url: ingress?.pullRequestUrl ?? null,
    vcs_repo_url: ingress?.cloneUrl.replace(/\.git$/, '') || null,
  };
}

/** Returns the JSON:API resource of the origin of a configuration version. */
export function ingressResource(ingress: Ingress): Resource {
  return {
    id: ingress.id,
    type: 'ingress-attributes',
    attributes: {
      branch: ingress.branch,
      'clone-url': ingress.cloneUrl,
      'commit-message': ingress.commitMessage,
      'commit-sha': ingress.commitSha,
      'commit-url': ingress.commitUrl,
      'compare-url': ingress.compareUrl,
      identifier: ingress.identifier,
      'is-pull-request': ingress.isPullRequest,
      'on-default-branch': ingress.onDefaultBranch,
      'pull-request-body': ingress.pullRequestBody,
      'pull-request-number': ingress.pullRequestNumber,
      'pull-request-title': ingress.pullRequestTitle,
      'pull-request-url': ingress.pullRequestUrl,
      'sender-avatar-url': ingress.senderAvatarUrl,
      'sender-html-url': ingress.senderHtmlUrl,
      'sender-username': ingress.senderUsername,
      tag: ingress.tag,
    },
    // People of a provider have no account here.
    relationships: { 'created-by': toOne('users', null) },
    links: { self: `/api/v2/ingress-attributes/${ingress.id}` },
  };
}
