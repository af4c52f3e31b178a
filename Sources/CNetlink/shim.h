#pragma once
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

// Swift imports the headers' enumerations under names of their own and their macros with casts not at all: what is needed, as plain numbers.
static const unsigned short garland_nlmsg_error = NLMSG_ERROR;
static const unsigned short garland_nlmsg_done = NLMSG_DONE;
static const unsigned short garland_nlmsg_overrun = NLMSG_OVERRUN;
static const unsigned short garland_nlm_request = NLM_F_REQUEST;
static const unsigned short garland_nlm_dump = NLM_F_REQUEST | NLM_F_ROOT | NLM_F_MATCH;
static const unsigned short garland_rtm_newlink = RTM_NEWLINK;
static const unsigned short garland_rtm_dellink = RTM_DELLINK;
static const unsigned short garland_rtm_getlink = RTM_GETLINK;
static const unsigned short garland_rtm_newaddr = RTM_NEWADDR;
static const unsigned short garland_rtm_deladdr = RTM_DELADDR;
static const unsigned short garland_rtm_newroute = RTM_NEWROUTE;
static const unsigned short garland_rtm_delroute = RTM_DELROUTE;
static const unsigned short garland_rtm_getroute = RTM_GETROUTE;
static const unsigned short garland_ifla_ifname = 3;  // IFLA_IFNAME of <linux/if_link.h>, which collides with <net/if.h>.
static const unsigned short garland_rta_dst = RTA_DST;
static const unsigned short garland_rta_oif = RTA_OIF;
static const unsigned short garland_rta_gateway = RTA_GATEWAY;
static const unsigned short garland_rta_prefsrc = RTA_PREFSRC;
static const unsigned short garland_rta_multipath = RTA_MULTIPATH;
static const unsigned short garland_rta_table = RTA_TABLE;
static const unsigned short garland_rta_via = RTA_VIA;
static const unsigned char garland_rtn_unicast = RTN_UNICAST;
static const unsigned char garland_rtn_local = RTN_LOCAL;
static const unsigned char garland_rtn_broadcast = RTN_BROADCAST;
static const unsigned char garland_rtn_anycast = RTN_ANYCAST;
static const unsigned char garland_rtn_multicast = RTN_MULTICAST;
static const unsigned int garland_rtnh_unusable = RTNH_F_DEAD | RTNH_F_LINKDOWN;
static const unsigned int garland_iff_up = 0x1;
static const unsigned int garland_iff_loopback = 0x8;
static const unsigned int garland_iff_running = 0x40;
/// Links, and the addresses and routes of both versions of IP.
static const unsigned int garland_rtmgrp_network = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_IFADDR | RTMGRP_IPV6_ROUTE;
static const int garland_netlink_route = NETLINK_ROUTE;
