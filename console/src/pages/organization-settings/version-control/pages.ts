/** Pages of version control. One chunk contains them, because they share most of their code. */

export { ConnectionsPart } from './ConnectionsPart.tsx';
export { ConnectPage } from './connect/ConnectPage.tsx';
export { EventsPart } from './EventsPart.tsx';
export { OneConnection } from './OneConnection.tsx';
export { PullRequestsPart } from './PullRequestsPart.tsx';
export { RepositoryPart } from './RepositoryPart.tsx';
