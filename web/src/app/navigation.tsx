import { Link } from 'wouter';
import { PAGE_GROUPS } from '../address/pages.ts';

/** All pages. Those that are not there yet are named, and lead nowhere. */
export function Navigation({ location }: { readonly location: string }) {
  return (
    <nav id="navigation" aria-label="Pages">
      {PAGE_GROUPS.map(({ title, pages }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <ul>
            {pages.map(({ path, title: name, there }) => (
              <li key={path}>
                {!there ? (
                  <span className="not-there" title="Not there yet: use the API or the command line">
                    {name}
                  </span>
                ) : (
                  <Link href={path} aria-current={path === location ? 'page' : undefined}>
                    {name}
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p className="muted note">
        Texts of prompts and responses are not kept, so no page shows one: they travel sealed and are gone
        once they are analysed.
      </p>
    </nav>
  );
}
