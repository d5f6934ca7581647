import { createContext, useContext } from 'react';
import type { Api } from './call.ts';

export const ApiContext = createContext<Api | null>(null);

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === null) throw new Error('there is no service to call above this part of the page');
  return api;
}
