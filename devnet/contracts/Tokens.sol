// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// Balances and allowances of an ERC-20. Each field takes a full word, so a genesis block can fill it.
/// `router` may move the tokens of any account, which saves thousands of approvals on a demo chain.
abstract contract Ledger {
    uint256 public decimals;
    address public minter;
    address public router;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function mint(address[] calldata owners, uint256 value) external {
        require(msg.sender == minter, "only the minter");
        for (uint256 i = 0; i < owners.length; i++) {
            totalSupply += value;
            balanceOf[owners[i]] += value;
            emit Transfer(address(0), owners[i], value);
        }
    }

    function _approve(address spender, uint256 value) internal {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function _spend(address owner, uint256 value) internal {
        if (msg.sender == router) return;
        uint256 allowed = allowance[owner][msg.sender];
        if (allowed == type(uint256).max) return;
        require(allowed >= value, "allowance");
        allowance[owner][msg.sender] = allowed - value;
    }

    function _move(address from, address to, uint256 value) internal virtual {
        require(balanceOf[from] >= value, "balance");
        unchecked {
            balanceOf[from] -= value;
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }
}

/// A plain ERC-20.
contract Token is Ledger {
    string public name;
    string public symbol;

    function approve(address spender, uint256 value) external returns (bool) {
        _approve(spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        _spend(from, value);
        _move(from, to, value);
        return true;
    }
}

/// The minter receives 1 % of every transfer, so the recipient gets less than was sent.
contract TaxedToken is Token {
    function _move(address from, address to, uint256 value) internal override {
        uint256 tax = value / 100;
        super._move(from, minter, tax);
        super._move(from, to, value - tax);
    }
}

/// Name and symbol are bytes32, as in some of the first tokens.
contract Bytes32Token is Ledger {
    bytes32 public name;
    bytes32 public symbol;

    function approve(address spender, uint256 value) external returns (bool) {
        _approve(spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        _spend(from, value);
        _move(from, to, value);
        return true;
    }
}

/// A token whose functions return nothing, as in some large stablecoins.
contract SilentToken is Ledger {
    string public name;
    string public symbol;

    function approve(address spender, uint256 value) external {
        _approve(spender, value);
    }

    function transfer(address to, uint256 value) external {
        _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        _spend(from, value);
        _move(from, to, value);
    }
}
