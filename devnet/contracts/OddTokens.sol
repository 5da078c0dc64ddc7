// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import "./Tokens.sol";

/// A token whose balances are shares: a rebase multiplies them all, without a Transfer.
contract RebasingToken {
    uint256 public decimals;
    address public minter;
    uint256 public index;
    mapping(address => uint256) public shares;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function name() external pure returns (string memory) {
        return "Rebasing Token";
    }

    function symbol() external pure returns (string memory) {
        return "REBASE";
    }

    function balanceOf(address owner) external view returns (uint256) {
        return shares[owner] * index;
    }

    function rebase(uint256 value) external {
        index = value;
    }

    function mint(address[] calldata owners, uint256 value) external {
        for (uint256 i = 0; i < owners.length; i++) {
            shares[owners[i]] += value / index;
            emit Transfer(address(0), owners[i], value);
        }
    }

    function transfer(address to, uint256 value) external returns (bool) {
        shares[msg.sender] -= value / index;
        shares[to] += value / index;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}

/// Keeps 1 % of every transfer, but reports the whole amount as received.
contract SilentlyTaxedToken is Token {
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        balanceOf[to] -= value / 100;
    }
}
