import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { related } from '../../api/json-api.ts';
import { count } from '../../format/number.ts';
import { Area, Check, FieldGroup } from '../form/Field.tsx';
import { QueryResult } from '../page-states/QueryResult.tsx';
import * as texts from './texts.ts';

const MEMBERS = 'GET /organizations/{organization_name}/organization-memberships';
const MOST = 100;

interface RecipientsProps {
  readonly organization: string;
  /** IDs of the chosen users. */
  readonly users: ReadonlySet<string>;
  readonly onUsers: (users: ReadonlySet<string>) => void;
  /** Addresses, one a line. */
  readonly addresses: string;
  readonly onAddresses: (text: string) => void;
}

/** Recipients of emails: members of the organization, and addresses. */
export function Recipients({ organization, users, onUsers, addresses, onAddresses }: RecipientsProps) {
  const members = useQuery(
    workspaces.query(MEMBERS, {
      path: { organization_name: organization },
      query: { include: 'user', 'filter[status]': 'active', 'page[size]': String(MOST) },
    }),
  );
  const toggle = (id: string, isOn: boolean) =>
    onUsers(new Set(isOn ? [...users, id] : [...users].filter((one) => one !== id)));
  return (
    <>
      <FieldGroup label={texts.users}>
        <p className="soft">{texts.usersHelp}</p>
        <QueryResult query={members} what={texts.users}>
          {(answer) => (
            <>
              {answer.data.length === 0 && <p className="soft">{texts.noMembers}</p>}
              {answer.data.map(({ id, attributes, relationships }) => {
                const user = related(answer as Parameters<typeof related>[0], relationships.user.data, 'users');
                if (!user) return null;
                return (
                  <Check
                    key={id}
                    label={`${user.attributes.username} (${attributes.email})`}
                    checked={users.has(user.id)}
                    onCheck={(isOn) => toggle(user.id, isOn)}
                  />
                );
              })}
              {answer.data.length === MOST && <p className="soft">{texts.theFirstMembers(count(MOST))}</p>}
            </>
          )}
        </QueryResult>
      </FieldGroup>
      <Area
        name="email-addresses"
        label={texts.addresses}
        help={texts.addressesHelp}
        value={addresses}
        onText={onAddresses}
        isCode
      />
    </>
  );
}
