import { Account } from './account.tsx';
import { Keys } from './keys.tsx';
import { Plan } from './plan.tsx';

/** What belongs to the account: keys, plan, and who is signed in. */
export function Page() {
  return (
    <>
      <header className="page-head">
        <h1>Settings</h1>
      </header>
      <div className="tiles">
        <Keys />
        <Plan />
        <Account />
      </div>
    </>
  );
}
