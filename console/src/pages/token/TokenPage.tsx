import { useQuery } from '@tanstack/react-query';
import { access } from '../../api/client.ts';
import { Tags } from '../../components/chip/Chip.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { exact } from '../../format/time.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';

const LOOKUP = 'GET /auth/token/lookup-self';

/** The token that this session acts with in the access API. */
export function TokenPage() {
  usePlace([{ label: 'Access' }, { label: 'My token' }]);
  usePathLine({ request: access.request(LOOKUP, {}), command: 'lockkeeper read auth/token/lookup-self' });
  const token = useQuery(access.query(LOOKUP, {}));
  return (
    <>
      <PageHead title="My token" lede="What the console acts with in the access API. It is never shown to a page." />
      <Answered query={token} what="Your token" missing={<code>read on auth/token/lookup-self</code>}>
        {({ data }) => (
          <Facts
            of={[
              ['Name', data.display_name],
              ['Accessor', data.accessor && <Copyable text={data.accessor} what="accessor" />],
              ['Policies', <Tags key="policies" names={data.policies} />],
              ['Kind', data.type],
              ['Came from', <code key="path">{data.path}</code>],
              ['Ends', data.expire_time ? exact(data.expire_time) : 'never'],
            ]}
          />
        )}
      </Answered>
    </>
  );
}
