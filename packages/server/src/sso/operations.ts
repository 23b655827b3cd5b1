/** Every operation of sign-on. */
import type { Operation } from '../runtime/operation/operation.js'
import { receiveBackchannelLogout } from './backchannel-logout/receive.js'
import { deleteDefaultProvider } from './default-provider/delete.js'
import { getDefaultProvider } from './default-provider/get.js'
import { setDefaultProvider } from './default-provider/set.js'
import { testDefaultProvider } from './default-provider/test.js'
import { updateDefaultProvider } from './default-provider/update.js'
import { createDomain } from './domain/create.js'
import { deleteDomain } from './domain/delete.js'
import { listDomains } from './domain/list.js'
import { verifyDomain } from './domain/verify.js'
import { getEnforcement } from './enforcement/get.js'
import { setEnforcement } from './enforcement/set.js'
import { getGroupRole } from './group-role/get.js'
import { updateGroupRole } from './group-role/update.js'
import { createProvider } from './provider/create.js'
import { deleteProvider } from './provider/delete.js'
import { getProvider } from './provider/get.js'
import { listProviders } from './provider/list.js'
import { setProvider } from './provider/set.js'
import { testProvider } from './provider/test.js'
import { updateProvider } from './provider/update.js'
import { createScimGroup } from './scim-group/create.js'
import { deleteScimGroup } from './scim-group/delete.js'
import { getScimGroup } from './scim-group/get.js'
import { listScimGroups } from './scim-group/list.js'
import { searchScimGroups } from './scim-group/search.js'
import { setScimGroup } from './scim-group/set.js'
import { updateScimGroup } from './scim-group/update.js'
import { listScimResourceTypes } from './scim-resource-type/list.js'
import { listScimSchemas } from './scim-schema/list.js'
import { getScimService } from './scim-service/get.js'
import { createScimToken } from './scim-token/create.js'
import { deleteScimToken } from './scim-token/delete.js'
import { listScimTokens } from './scim-token/list.js'
import { createScimUser } from './scim-user/create.js'
import { deleteScimUser } from './scim-user/delete.js'
import { getScimUser } from './scim-user/get.js'
import { listScimUsers } from './scim-user/list.js'
import { searchScimUsers } from './scim-user/search.js'
import { setScimUser } from './scim-user/set.js'
import { updateScimUser } from './scim-user/update.js'
import { endSession } from './session/end.js'
import { attachSignIn } from './sign-in/attach.js'
import { authorizeSignIn } from './sign-in/authorize.js'
import { completeSignIn } from './sign-in/complete.js'
import { confirmSignIn } from './sign-in/confirm.js'
import { discoverSignIn } from './sign-in/discover.js'
import { exchangeSignIn } from './sign-in/exchange.js'
import { startSignIn } from './sign-in/start.js'
import { acceptSocialInvitation } from './social-invitation/accept.js'
import { createSocialLink } from './social-link/create.js'
import { deleteSocialLink } from './social-link/delete.js'
import { listSocialLinks } from './social-link/list.js'
import { listSocialProviders } from './social-provider/list.js'
import { beginSocialSignIn } from './social-sign-in/begin.js'
import { completeSocialSignIn } from './social-sign-in/complete.js'
import { exchangeSocialSignIn } from './social-sign-in/exchange.js'
import { startSocialSignIn } from './social-sign-in/start.js'
import { beginSocialStepUp } from './social-step-up/begin.js'
import { exchangeStepUp } from './step-up/exchange.js'

export const SSO_OPERATIONS: readonly Operation[] = [
  getDefaultProvider,
  setDefaultProvider,
  updateDefaultProvider,
  deleteDefaultProvider,
  testDefaultProvider,
  listProviders,
  createProvider,
  getProvider,
  setProvider,
  updateProvider,
  deleteProvider,
  testProvider,
  getGroupRole,
  updateGroupRole,
  listDomains,
  createDomain,
  verifyDomain,
  deleteDomain,
  discoverSignIn,
  authorizeSignIn,
  attachSignIn,
  startSignIn,
  completeSignIn,
  confirmSignIn,
  exchangeSignIn,
  endSession,
  listSocialProviders,
  beginSocialSignIn,
  startSocialSignIn,
  completeSocialSignIn,
  exchangeSocialSignIn,
  beginSocialStepUp,
  exchangeStepUp,
  listSocialLinks,
  createSocialLink,
  deleteSocialLink,
  acceptSocialInvitation,
  receiveBackchannelLogout,
  getEnforcement,
  setEnforcement,
  listScimTokens,
  createScimToken,
  deleteScimToken,
  getScimService,
  listScimResourceTypes,
  listScimSchemas,
  listScimUsers,
  searchScimUsers,
  createScimUser,
  getScimUser,
  setScimUser,
  updateScimUser,
  deleteScimUser,
  listScimGroups,
  searchScimGroups,
  createScimGroup,
  getScimGroup,
  setScimGroup,
  updateScimGroup,
  deleteScimGroup,
]
